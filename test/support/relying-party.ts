import { createRemoteJWKSet, type JWTVerifyResult, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { makeCode, type Scenario } from './provider-driver.ts';

export const CALLBACK = 'http://127.0.0.1:4/v1/auth/idp/callback';
export const SECRET = 'a secret: with + and %';

type Started = {
  config: client.Configuration;
  checks: client.AuthorizationCodeGrantChecks;
  authorizeUrl: string;
};
type SignIn = {
  code: string;
  config: client.Configuration;
  grant(): ReturnType<typeof client.authorizationCodeGrant>;
};

/** Starts a code flow with PKCE, state and nonce like an openid-client that has discovered `issuer`. */
export async function begin(
  issuer: string,
  clientId = 'peridot',
  secret = SECRET,
  redirectUri = CALLBACK,
): Promise<Started> {
  const execute = [client.allowInsecureRequests];
  const config = await client.discovery(new URL(issuer), clientId, secret, undefined, { execute });
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
  });
  return { config, checks, authorizeUrl: url.href };
}

/** Signs in at the lying provider like its client, and returns the exchange as a function. */
export async function signIn(issuer: string, scenario: Scenario = {}): Promise<SignIn> {
  const { config, checks, authorizeUrl } = await begin(issuer);
  const { code, callbackUrl = '' } = await makeCode(issuer, { authorizeUrl, ...scenario });
  const grant = () => client.authorizationCodeGrant(config, new URL(callbackUrl), checks);
  return { code, config, grant };
}

/** Calls the token endpoint directly, for responses that a careful client would not even read. */
export function redeem(issuer: string, code: string, signal?: AbortSignal): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, client_id: 'peridot' });
  return fetch(`${issuer}/token`, { method: 'POST', body, redirect: 'manual', signal: signal ?? null });
}

/** The lying provider's ID token for a scenario, valid or not. */
export async function idTokenOf(issuer: string, scenario: Scenario): Promise<string> {
  const { code } = await makeCode(issuer, scenario);
  const { id_token } = (await (await redeem(issuer, code)).json()) as { id_token: string };
  return id_token;
}

/** Verifies an ID token like a careful client. */
export function verify(issuer: string, token: string): Promise<JWTVerifyResult> {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const algorithms = ['RS256', 'ES256'];
  return jwtVerify(token, keys, { issuer, audience: 'peridot', algorithms });
}
