"""Signs somebody in by Authlib.

    python3 authlib_client.py ISSUER CLIENT_ID CLIENT_SECRET REDIRECT_URI CA_FILE
    prints the address that a browser has to open, reads the address that the browser was sent back to, and prints as
    JSON the claims of the ID token and of userinfo, and the statuses of userinfo after a refresh and after a revocation
"""

import json
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url

issuer, client_id, client_secret, redirect_uri, ca_file = sys.argv[1:]
session = OAuth2Session(
    client_id,
    client_secret,
    scope="openid profile email offline_access",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
)
# The environment may name other certificates, which would otherwise be used.
session.trust_env = False
session.verify = ca_file


def read(address):
    answer = session.get(address, withhold_token=True)
    answer.raise_for_status()
    return answer.json()


server = OpenIDProviderMetadata(read(get_well_known_url(issuer, external=True)))
server.validate()
verifier, nonce = generate_token(64), generate_token(32)
address, state = session.create_authorization_url(
    server["authorization_endpoint"], code_verifier=verifier, nonce=nonce
)
print(address, flush=True)

token = session.fetch_token(
    server["token_endpoint"],
    authorization_response=sys.stdin.readline().strip(),
    state=state,
    code_verifier=verifier,
)
claims = JsonWebToken(["RS256"]).decode(
    token["id_token"],
    JsonWebKey.import_key_set(read(server["jwks_uri"])),
    claims_cls=CodeIDToken,
    claims_options={
        "iss": {"essential": True, "value": server["issuer"]},
        "aud": {"essential": True, "value": client_id},
        "nonce": {"essential": True, "value": nonce},
    },
    claims_params={"client_id": client_id, "nonce": nonce},
)
claims.validate()
userinfo = session.get(server["userinfo_endpoint"])
userinfo.raise_for_status()
session.refresh_token(server["token_endpoint"])
refreshed = session.get(server["userinfo_endpoint"])
session.revoke_token(server["revocation_endpoint"], session.token["refresh_token"])
revoked = session.get(server["userinfo_endpoint"])
report = {
    "claims": claims,
    "userinfo": userinfo.json(),
    "refreshed": refreshed.status_code,
    "revoked": revoked.status_code,
}
print(json.dumps(report), flush=True)
