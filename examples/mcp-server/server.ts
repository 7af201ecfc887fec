/**
 * An MCP server that people use by their PID, explained in docs/mcp.md.
 *
 *     APP_ID=app_… npm start
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { protectResource, type VerifiedApp } from 'peridot-sdk/server';

const { APP_ID = '', PORT = '3100', PID_URL = 'http://localhost:8787' } = process.env;
const origin = process.env['ORIGIN'] ?? `http://localhost:${PORT}`;

/** Every request needs a token with `openid`; some tools need more. */
const guard = protectResource({
  baseUrl: PID_URL,
  resource: `${origin}/mcp`,
  scopes: ['openid'],
  allScopes: ['openid', 'profile'],
  name: 'Greetings',
});
const scopesOfTools: Readonly<Record<string, string[]>> = { greet: ['profile'] };

/** The tools for one caller. The token has been checked. */
function toolsFor({ pid, appId }: VerifiedApp): McpServer {
  const server = new McpServer({ name: 'greetings', version: '1.0.0' });
  const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('whoami', { description: 'Says whose PID this is' }, () => say(`${pid} by ${appId}`));
  server.registerTool('greet', { description: 'Greets the person' }, () => say(`Hello, ${pid}`));
  return server;
}

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === guard.metadataPath) return publicJson(guard.metadata);
  // Proves to the service that APP_ID owns this resource, and lets any client ask for it.
  if (pathname === '/.well-known/pid-resource') return publicJson({ owner: APP_ID, clients: ['*'] });
  if (pathname !== '/mcp') return new Response(null, { status: 404 });
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } });
  const message: unknown = await request.json().catch(() => null);
  const { app, refusal } = await guard.check(request, { scopes: scopesFor(message) });
  if (refusal !== null) return new Response(refusal.body, refusal);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await toolsFor(app).connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

/** The scopes of the tools that a message calls; a batch may call several. */
function scopesFor(message: unknown): string[] {
  const calls = [message].flat() as ({ method?: unknown; params?: { name?: unknown } } | null)[];
  return calls.flatMap((call) =>
    call?.method === 'tools/call' ? (scopesOfTools[String(call.params?.name)] ?? []) : [],
  );
}

function publicJson(value: object): Response {
  return Response.json(value, { headers: { 'Access-Control-Allow-Origin': '*' } });
}

async function listener(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', headers, url = '/' } = incoming;
  const body = method === 'POST' ? Buffer.concat(chunks) : null;
  const sent = await handle(new Request(origin + url, { method, headers: headers as HeadersInit, body }));
  outgoing.writeHead(sent.status, Object.fromEntries(sent.headers)).end(await sent.text());
}

createServer((incoming, outgoing) => {
  listener(incoming, outgoing).catch((error: unknown) => {
    console.error(error);
    outgoing.writeHead(503).end();
  });
}).listen(Number(PORT), 'localhost', () => console.log(`The MCP server is ${origin}/mcp`));
