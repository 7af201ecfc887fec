import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from 'arctic';
import { callbackUrl, type Provider } from '../../src/features/idp/providers/provider.ts';
import {
  fetchJson,
  providerDeadline,
  providerFailed,
  readAccessToken,
} from '../../src/features/idp/providers/provider-http.ts';
import type { ProviderId } from '../../src/lib/credential-kinds.ts';

/** Adding the name to `providerIds` would inform the types. */
const id = 'gitlab' as ProviderId;
const address = 'https://gitlab.example';

/** A provider added as described in docs/identity.md, entirely in this file. */
export const gitlab: Provider = {
  id,

  async authorizationUrl(deps, { state, verifier }) {
    const client = new OAuth2Client('client', 'secret', callbackUrl(deps, id));
    const endpoint = `${address}/oauth/authorize`;
    return client.createAuthorizationURLWithPKCE(endpoint, state, CodeChallengeMethod.S256, verifier, [
      'read_user',
    ]);
  },

  async authenticate(deps, { verifier }, { code }) {
    const signal = providerDeadline();
    const body = new URLSearchParams({
      client_id: 'client',
      client_secret: 'secret',
      code,
      code_verifier: verifier,
    });
    const tokens = new OAuth2Tokens(
      await fetchJson(deps, `${address}/oauth/token`, { method: 'POST', body, signal }),
    );
    const headers = { Authorization: `Bearer ${readAccessToken(tokens)}` };
    const user = await fetchJson(deps, `${address}/api/v4/user`, { headers, signal });
    if (typeof user['id'] !== 'number') throw providerFailed('the user id is missing or not one');
    const nobody = { shownEmail: null, verifiedEmail: null, locale: null };
    return { provider: id, subject: String(user['id']), displayName: String(user['name']), ...nobody };
  },
};
