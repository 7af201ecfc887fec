import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
// @ts-expect-error oidc-provider ships no type declarations; the part used here is described below.
import { Provider as UntypedProvider } from 'oidc-provider';
import * as z from 'zod';

type Account = { accountId: string; claims(): Record<string, unknown> };
type RenderedError = { error: string; error_description?: string };
type ProviderClass = new (
  issuer: string,
  configuration: object,
) => {
  proxy: boolean;
  callback(): RequestListener;
  Client: { prototype: { redirectUriAllowed(uri: string): boolean } };
};

const Provider: ProviderClass = UntypedProvider;

const redirectRequest = z.strictObject({
  redirectUri: z.url({ protocol: /^http$/, hostname: /^(?:127\.0\.0\.1|localhost|\[::1\])$/ }),
});

/** A login name that is an address is the account's address; any other gets one under example.com. */
function findAccount(_context: unknown, login: string): Account {
  const email = login.includes('@') ? login : `${login}@example.com`;
  const claims = { sub: login, email, email_verified: true, name: `Person ${login}`, locale: 'id' };
  return { accountId: login, claims: () => claims };
}

/** Plain text instead of the package's page, so that a failed test shows the reason. */
function renderError(context: { type: string; body: string }, out: RenderedError): void {
  context.type = 'text/plain';
  context.body = `${out.error}: ${out.error_description}`;
}

async function answerRegistration(
  request: IncomingMessage,
  response: ServerResponse,
  redirectUris: Set<string>,
): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const parsed = redirectRequest.safeParse(JSON.parse(body));
  if (parsed.success) redirectUris.add(parsed.data.redirectUri);
  response.writeHead(parsed.success ? 204 : 400).end(parsed.success ? undefined : parsed.error.message);
}

/**
 * Starts an independent OpenID provider on a free loopback port. Redirect URIs are compared exactly; more of them are
 * registered by `POST /control/redirect-uri`, because suites learn their own ports late.
 * @param options.issuer the provider's address behind a proxy, if any
 */
export async function startPanvaProvider(options: { redirectUris: string[]; issuer?: string }): Promise<{
  issuer: string;
  local: string;
  clientId: string;
  clientSecret: string;
  stop(): Promise<void>;
}> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { issuer = local } = options;
  const [clientId, clientSecret] = ['peridot', randomBytes(32).toString('hex')];
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    // A client needs one redirect URI from the start; nothing listens at this one.
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${issuer}/no-callback`] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'locale'] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount,
    renderError,
  });
  provider.proxy = options.issuer !== undefined;
  const redirectUris = new Set(options.redirectUris);
  provider.Client.prototype.redirectUriAllowed = (uri) => redirectUris.has(uri);
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (request.url !== '/control/redirect-uri') return handle(request, response);
    answerRegistration(request, response, redirectUris).catch((error: unknown) => {
      response.writeHead(400).end(String(error));
    });
  });
  return {
    issuer,
    local,
    clientId,
    clientSecret,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
