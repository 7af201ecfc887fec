import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from 'arctic';
import type { GithubSettings } from '../../../config/provider-settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { readableName } from '../../../lib/display-name.ts';
import { canonicalEmail } from '../../../lib/email.ts';
import type { ProvenAccount } from '../../sign-in/proven-credential.ts';
import { type AttemptSecrets, callbackUrl, type Provider } from './provider.ts';
import {
  fetchJson,
  fetchJsonList,
  providerDeadline,
  providerFailed,
  readAccessToken,
} from './provider-http.ts';

const scopes = ['read:user', 'user:email'];

/** GitHub supports only plain OAuth 2, so its API identifies the person. */
export const github: Provider = {
  id: 'github',

  async authorizationUrl(deps, secrets, { choosesAccount, asksAgain }) {
    const { baseUrl, clientId, clientSecret } = requireSettings(deps);
    const client = new OAuth2Client(clientId, clientSecret, callbackUrl(deps, 'github'));
    const endpoint = `${baseUrl}/login/oauth/authorize`;
    const { state, verifier } = secrets;
    const method = CodeChallengeMethod.S256;
    const url = client.createAuthorizationURLWithPKCE(endpoint, state, method, verifier, scopes);
    if (choosesAccount || asksAgain) url.searchParams.set('prompt', 'select_account');
    return url;
  },

  async authenticate(deps, secrets, { code, iss }) {
    const settings = requireSettings(deps);
    // GitHub may omit the issuer, but must not send another one (RFC 9207 section 2.4).
    if (iss !== undefined && URL.parse(iss)?.origin !== new URL(settings.baseUrl).origin) {
      throw new AppError('provider_error', null, { reason: 'iss is of another issuer' });
    }
    const signal = providerDeadline();
    const tokens = await exchangeCode(deps, settings, { secrets, code, signal });
    const call = { headers: apiHeaders(readAccessToken(tokens)), signal };
    const [user, email] = await Promise.all([
      fetchJson(deps, `${settings.apiUrl}/user`, call),
      mayReadEmail(tokens)
        ? fetchJsonList(deps, `${settings.apiUrl}/user/emails?per_page=100`, call).then(primaryOf)
        : null,
    ]);
    return readIdentity(user, email);
  },
};

function requireSettings(deps: Deps): GithubSettings {
  if (!deps.config.github) throw new AppError('provider_not_configured');
  return deps.config.github;
}

interface Exchange {
  readonly secrets: AttemptSecrets;
  readonly code: string;
  readonly signal: AbortSignal;
}

/** The token request, sent only once. GitHub returns a refusal with status 200 and the field `error`. */
async function exchangeCode(deps: Deps, settings: GithubSettings, { secrets, code, signal }: Exchange) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    code,
    redirect_uri: callbackUrl(deps, 'github'),
    code_verifier: secrets.verifier,
  });
  const headers = { Accept: 'application/json', 'User-Agent': 'peridot' };
  const url = `${settings.baseUrl}/login/oauth/access_token`;
  const answer = await fetchJson(deps, url, { method: 'POST', headers, body, signal });
  if (answer['error'] !== undefined) {
    const error = /^[a-z_]{1,64}$/.exec(String(answer['error']))?.[0] ?? 'an error';
    throw providerFailed(`the token endpoint answered ${error}`);
  }
  return new OAuth2Tokens(answer);
}

/** GitHub's API rejects requests without a user agent. */
function apiHeaders(accessToken: string): Record<string, string> {
  return {
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${accessToken}`,
    'User-Agent': 'peridot',
    'X-GitHub-Api-Version': '2022-11-28',
  };
}

/** People may withhold scopes; the sign-in then works without the address. */
function mayReadEmail(tokens: OAuth2Tokens): boolean {
  if (!tokens.hasScopes()) return true;
  const granted = tokens.scopes().flatMap((scope) => scope.split(','));
  return granted.includes('user:email') || granted.includes('user');
}

/** The address marked as primary. The public profile address may be unverified. */
function primaryOf(emails: Record<string, unknown>[]): Record<string, unknown> | null {
  return emails.find(({ primary }) => primary === true) ?? null;
}

function readIdentity(user: Record<string, unknown>, email: Record<string, unknown> | null): ProvenAccount {
  const { id, name, login } = user;
  // A login can be renamed and reused by someone else; the number is permanent.
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) {
    throw providerFailed('the user id is missing or not one');
  }
  const shown = typeof email?.['email'] === 'string' ? canonicalEmail(email['email']) : null;
  const display = typeof name === 'string' && name.trim() !== '' ? name : login;
  return {
    provider: 'github',
    subject: String(id),
    shownEmail: shown,
    verifiedEmail: email?.['verified'] === true ? shown : null,
    displayName: typeof display === 'string' ? readableName(display) : null,
    locale: null,
  };
}
