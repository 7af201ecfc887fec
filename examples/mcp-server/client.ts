/**
 * An unregistered MCP client: it calls both tools of the server, and prints each address that a person has to
 * open. Explained in docs/mcp.md.
 *
 *     node client.ts
 */
import { createServer } from 'node:http';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

const { PORT = '3101', MCP_URL = 'http://localhost:3100/mcp' } = process.env;
const own = `http://127.0.0.1:${PORT}`;
const redirectUrl = `${own}/callback`;

/** The client's description. A released client publishes it on https, and names that address as `clientMetadataUrl`. */
const id = `${own}/client.json`;
const clientMetadata = {
  client_name: 'Greeter',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** Resolves with the code of the next redirect. */
let arrived: (code: string) => void = () => {};
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', own);
  if (pathname === '/client.json') {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ client_id: id, ...clientMetadata }));
    return;
  }
  if (pathname === '/callback') arrived(searchParams.get('code') ?? '');
  response.end('You can close this window.');
}).listen(Number(PORT), '127.0.0.1');

let tokens: OAuthTokens | undefined;
let verifier = '';
const provider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata,
  // On this machine the address is http, which the library accepts only here.
  clientInformation: () => ({ client_id: id }),
  tokens: () => tokens,
  saveTokens: (given) => {
    tokens = given;
  },
  codeVerifier: () => verifier,
  saveCodeVerifier: (given) => {
    verifier = given;
  },
  redirectToAuthorization: (url) => console.log(`OPEN ${url}`),
};

/** Does something that may need the person first, once: for a token, or for one with more scopes. */
async function withPerson<Result>(act: () => Promise<Result>): Promise<Result> {
  const code = new Promise<string>((resolve) => {
    arrived = resolve;
  });
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await code);
    return act();
  }
}

let transport = newTransport();
const client = new Client({ name: 'greeter', version: '1.0.0' });

function newTransport(): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(MCP_URL), { authProvider: provider });
}

await withPerson(() => {
  transport = newTransport();
  return client.connect(transport);
});
for (const name of ['whoami', 'greet']) {
  const answer = await withPerson(() => client.callTool({ name, arguments: {} }));
  console.log(`${name}: ${JSON.stringify(answer.content)} with ${tokens?.scope}`);
}
process.exit(0);
