"""Verifies `pid_access` with Python's standard library alone: what a back end in another language has to do.

Use a JWT library in earnest (docs/operations.md shows PyJWT); this shows that nothing but the key set is needed.

    python3 verify_access.py JWKS ISSUER < tokens     JWKS: an address or a file; one token a line
    prints for each token its claims as JSON, or null
"""

import base64
import hashlib
import json
import sys
import time
import urllib.request

# The curve P-256 (SEC 2 section 2.4.2): y^2 = x^3 - 3x + B modulo P, with base point G of order N.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(a, b):
    """Adds two points; None is the point at infinity."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    if a == b:
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(point, factor):
    result = None
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def decode(text):
    """Base64url without padding (RFC 7515 appendix C)."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def signature_holds(jwk, signed, signature):
    """ECDSA verification (FIPS 186-5 section 6.4.2) of a JWS signature: r and s, 32 bytes each (RFC 7518 3.4)."""
    if len(signature) != 64 or (jwk["kty"], jwk["crv"]) != ("EC", "P-256"):
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    key = int.from_bytes(decode(jwk["x"]), "big"), int.from_bytes(decode(jwk["y"]), "big")
    on_curve = (key[1] ** 2 - key[0] ** 3 + 3 * key[0] - B) % P == 0
    if not (0 < r < N and 0 < s < N and on_curve):
        return False
    digest = int.from_bytes(hashlib.sha256(signed).digest(), "big")
    inverse = pow(s, -1, N)
    point = add(multiply(G, digest * inverse % N), multiply(key, r * inverse % N))
    return point is not None and point[0] % N == r


def verify(token, keys, issuer, now):
    """The claims of a token that this issuer signed and that is still good, or None."""
    try:
        header_text, payload_text, signature_text = token.split(".")
        header = json.loads(decode(header_text))
        # The algorithm is ours to choose, never the token's (RFC 8725 section 3.1).
        if header["alg"] != "ES256" or header["typ"] != "JWT" or header["kid"] not in keys:
            return None
        signed = f"{header_text}.{payload_text}".encode()
        if not signature_holds(keys[header["kid"]], signed, decode(signature_text)):
            return None
        claims = json.loads(decode(payload_text))
        mine = claims["iss"] == issuer and claims["aud"] == issuer and claims["sub"].endswith("@pid")
        return claims if mine and claims["exp"] > now else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def read_keys(place):
    """The key set by `kid`. Keep it for five minutes, and read it again when a token names a key it lacks."""
    if place.startswith(("http://", "https://")):
        with urllib.request.urlopen(place, timeout=5) as answer:
            text = answer.read()
    else:
        with open(place, "rb") as file:
            text = file.read()
    return {key["kid"]: key for key in json.loads(text)["keys"]}


if __name__ == "__main__":
    known = read_keys(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(verify(line.strip(), known, sys.argv[2], time.time())))
