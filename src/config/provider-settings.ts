/** An OpenID Connect provider, found by discovery at its issuer. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly name: string;
}

/** GitHub, or a GitHub Enterprise Server. */
export interface GithubSettings {
  readonly baseUrl: string;
  /** The URL of its REST API. */
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
}

/** The settings of each provider, or null if it is not configured, in which case its routes return 503. */
export interface ProviderSettings {
  readonly idp: OidcSettings | null;
  readonly google: OidcSettings | null;
  readonly github: GithubSettings | null;
}

/** The variables that determine the available providers. */
export interface ProviderVariables {
  readonly IDP_ISSUER?: string | undefined;
  readonly IDP_CLIENT_ID?: string | undefined;
  readonly IDP_CLIENT_SECRET?: string | undefined;
  readonly IDP_SCOPES: string;
  readonly IDP_NAME?: string | undefined;
  readonly GOOGLE_CLIENT_ID?: string | undefined;
  readonly GOOGLE_CLIENT_SECRET?: string | undefined;
  readonly GOOGLE_ISSUER?: string | undefined;
  readonly GITHUB_CLIENT_ID?: string | undefined;
  readonly GITHUB_CLIENT_SECRET?: string | undefined;
  readonly GITHUB_BASE_URL?: string | undefined;
}

const githubCom = 'https://github.com';
const sandboxClient = { clientId: 'peridot-sandbox', clientSecret: 'sandbox-secret' };
const googleScopes = ['openid', 'email', 'profile'];

/**
 * Returns the providers.
 * @param sandbox the origin whose `/dev` sandbox replaces unconfigured providers; null in production
 */
export function providerSettings(env: ProviderVariables, sandbox: string | null): ProviderSettings {
  return {
    idp: idpSettings(env, sandbox),
    google: googleSettings(env, sandbox),
    github: githubSettings(env, sandbox),
  };
}

function idpSettings(env: ProviderVariables, sandbox: string | null): OidcSettings | null {
  const scopes = env.IDP_SCOPES.split(/\s+/).filter(Boolean);
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: clientSecret, IDP_NAME } = env;
  if (issuer === undefined && sandbox !== null) {
    return { issuer: `${sandbox}/dev/idp`, ...sandboxClient, scopes, name: IDP_NAME ?? 'Sandbox' };
  }
  if (!issuer || !clientId || !clientSecret) return null;
  return { issuer, clientId, clientSecret, scopes, name: IDP_NAME ?? new URL(issuer).hostname };
}

function googleSettings(env: ProviderVariables, sandbox: string | null): OidcSettings | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER } = env;
  if (clientId && clientSecret) {
    const issuer = GOOGLE_ISSUER ?? 'https://accounts.google.com';
    return { issuer, clientId, clientSecret, scopes: googleScopes, name: 'Google' };
  }
  if (sandbox === null) return null;
  const name = 'Google (sandbox)';
  return { issuer: `${sandbox}/dev/google`, ...sandboxClient, scopes: googleScopes, name };
}

function githubSettings(env: ProviderVariables, sandbox: string | null): GithubSettings | null {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  if (clientId && clientSecret) {
    const baseUrl = (env.GITHUB_BASE_URL ?? githubCom).replace(/\/$/, '');
    return { baseUrl, apiUrl: githubApi(baseUrl), clientId, clientSecret, name: 'GitHub' };
  }
  if (sandbox === null) return null;
  const baseUrl = `${sandbox}/dev/github`;
  return { baseUrl, apiUrl: githubApi(baseUrl), ...sandboxClient, name: 'GitHub (sandbox)' };
}

/** GitHub Enterprise Server has its API on its own host. */
function githubApi(baseUrl: string): string {
  return baseUrl === githubCom ? 'https://api.github.com' : `${baseUrl}/api/v3`;
}

const together = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'GOOGLE_ISSUER'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET', 'GITHUB_BASE_URL'],
] as const;

/** An incomplete provider would fail only at the first sign-in. */
export function* partialProviders(env: ProviderVariables): Generator<[keyof ProviderVariables, string]> {
  for (const [id, secret, address] of together) {
    const given = [id, secret, address].some((name) => env[name] !== undefined);
    for (const name of [id, secret]) {
      if (given && env[name] === undefined) {
        yield [
          name,
          `must be set too: ${[id, secret, address].filter((other) => env[other]).join(' and ')} is`,
        ];
      }
    }
  }
}
