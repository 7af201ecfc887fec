import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import {
  type CodeRecord,
  type Keys,
  makeIdToken,
  makeKeys,
  parameterOf,
  readTokenCall,
  withoutNulls,
} from './lying-tokens.ts';
import { type CodeReport, type IssuerVisits, scenarioSchema } from './provider-driver.ts';

/** The memory of one server, by code or path, so that suites do not affect each other. */
type State = {
  origin: string;
  keys: Keys;
  records: Map<string, CodeRecord>;
  visits: Map<string, number>;
  /** The correct responses to which `redirect` responses point. */
  internalBodies: Map<string, object>;
};

type Exchange = {
  state: State;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** The path of the issuer, empty for the root issuer, and its fault. */
  prefix: string;
  mode: string;
};

const DISCOVERY = '/.well-known/openid-configuration';
const HUGE_BYTES = 50 * 1024 * 1024;
const MODES = [
  'broken-json|wrong-issuer|500|missing-jwks-uri|slow|silent|redirect|huge|html|empty-object',
  'missing-userinfo-endpoint|advertises-iss|jwks-500|jwks-broken-json|token-refused|token-tls-error',
  'rotated-keys|post-only',
].join('|');
const ROUTE = new RegExp(`^((?:/at/[\\w-]+)?(?:/(${MODES}))?)(?:/[\\w.-]+){1,2}$`);

// With the fault `wrong-issuer` the tokens agree with the document, so that only the issuer reveals the fault.
function issuerOf({ state, prefix, mode }: Exchange): string {
  return mode === 'wrong-issuer' ? `${state.origin}/elsewhere` : `${state.origin}${prefix}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Streams the correct response after 50 MB of padding; a reader without a limit would read on and accept it. */
async function sendHuge(
  response: ServerResponse,
  body: object,
  record: CodeRecord | undefined,
): Promise<void> {
  const chunk = 'a'.repeat(64 * 1024);
  function* parts(): Generator<string> {
    yield '{"padding":"';
    for (let sent = 0; sent < HUGE_BYTES; sent += chunk.length) {
      if (record) record.hugeBytes += chunk.length;
      yield chunk;
    }
    yield `",${JSON.stringify(body).slice(1)}`;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  // A reader that hangs up early is the expected behaviour, not a failure of this server.
  await pipeline(Readable.from(parts()), response).catch(() => {});
}

/** Sends `body`, or the faulty version of it. `key` is the code, or the path of a discovery document. */
async function answer(exchange: Exchange, fault: string, body: object, key: string): Promise<void> {
  const { response, state } = exchange;
  const record = state.records.get(key);
  switch (fault) {
    case 'silent':
      return;
    case 'stalled':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(JSON.stringify(body).slice(0, -1));
      return;
    case '500':
      return send(response, 500, { error: 'server_error' });
    case 'html':
      return send(response, 200, '<!doctype html><title>Maintenance</title>', 'text/html');
    case 'empty-object':
      return send(response, 200, {});
    case 'huge':
      return sendHuge(response, body, record);
    case 'redirect':
      // This address returns the correct response, so that following the redirect would complete the sign-in.
      state.internalBodies.set(internalPath(key), body);
      response.writeHead(302, { location: `${state.origin}${internalPath(key)}` }).end();
      return;
    case 'slow': {
      const timer = setTimeout(() => send(response, 200, body), record?.scenario?.delayMs ?? 2000);
      response.once('close', () => clearTimeout(timer));
      return;
    }
    default:
      return send(response, 200, body);
  }
}

function internalPath(key: string): string {
  return `/internal/${key.replace(/[^\w-]/g, '_')}`;
}

function serveDiscovery(exchange: Exchange): Promise<void> | void {
  const { mode, response, prefix, state } = exchange;
  if (mode === 'broken-json') return send(response, 200, '{"issuer":');
  const base = `${state.origin}${prefix}`;
  const tokenEndpoint =
    mode === 'token-refused'
      ? 'http://127.0.0.1:2/token'
      : `${mode === 'token-tls-error' ? base.replace('http:', 'https:') : base}/token`;
  const document = {
    issuer: issuerOf(exchange),
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: tokenEndpoint,
    userinfo_endpoint: mode === 'missing-userinfo-endpoint' ? undefined : `${base}/userinfo`,
    jwks_uri: mode === 'missing-jwks-uri' ? undefined : `${base}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported:
      mode === 'post-only' ? ['client_secret_post'] : ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: mode === 'advertises-iss' ? true : undefined,
  };
  return answer(exchange, mode, document, `${prefix}${DISCOVERY}`);
}

function recordOf({ state }: Exchange, code: string, issuer: string): CodeRecord {
  const seen = { tokenCalls: [], userinfoCalls: 0, hugeBytes: 0 };
  const record = state.records.get(code) ?? { code, issuer, scenario: null, claims: {}, ...seen };
  state.records.set(code, record);
  return record;
}

async function serveToken(exchange: Exchange): Promise<void> {
  const form = new URLSearchParams(await readBody(exchange.request));
  const issuer = issuerOf(exchange);
  const record = recordOf(exchange, form.get('code') ?? '', issuer);
  const { scenario } = record;
  const challenge = scenario?.challenge ?? parameterOf(record, 'code_challenge');
  const call = readTokenCall(exchange.request, form, issuer, challenge);
  record.tokenCalls.push(call);
  const refusal =
    (scenario === null && 'the code was never issued') ||
    (record.tokenCalls.length > 1 && 'the code was used before') ||
    (record.issuer !== issuer && 'the code is of another issuer') ||
    (call.pkceValid === false && 'the code verifier does not match') ||
    ((parameterOf(record, 'redirect_uri') ?? call.redirectUri) !== call.redirectUri &&
      'redirect URI differs') ||
    (scenario?.token === 'invalid_grant' && 'as the scenario asks');
  if (refusal) return send(exchange.response, 400, { error: 'invalid_grant', error_description: refusal });
  const body = {
    access_token: `at-${record.code}`,
    token_type: 'Bearer',
    expires_in: 300,
    id_token: await makeIdToken(exchange.state.keys, record, call.clientId),
  };
  return answer(exchange, scenario?.token ?? 'ok', body, record.code);
}

function serveUserinfo(exchange: Exchange): Promise<void> | void {
  const { request, response, state } = exchange;
  const record = state.records.get(/^Bearer at-(.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
  if (!record?.scenario) return send(response, 401, { error: 'invalid_token' });
  record.userinfoCalls += 1;
  const { scenario } = record;
  if (scenario.userinfo === 'absent') return send(response, 404, { error: 'not_found' });
  const told = { ...withoutNulls({ ...record.claims, ...scenario.claims }), ...scenario.literalClaims };
  const lie = scenario.userinfo === 'other-sub' ? { sub: 'another-subject' } : {};
  return answer(exchange, scenario.userinfo, { ...told, ...scenario.userinfoClaims, ...lie }, record.code);
}

async function makeCode(exchange: Exchange): Promise<void> {
  const { request, response, mode } = exchange;
  const parsed = scenarioSchema.safeParse(JSON.parse((await readBody(request)) || '{}'));
  if (!parsed.success) return send(response, 400, { error: z.prettifyError(parsed.error) });
  const code = randomBytes(16).toString('hex');
  const record = recordOf(exchange, code, issuerOf(exchange));
  record.scenario = parsed.data;
  const email = `${code}@example.com`;
  record.claims = { sub: `sub-${code}`, email, email_verified: true, name: 'Ayu Lestari', locale: 'id' };
  const redirectUri = parameterOf(record, 'redirect_uri');
  if (redirectUri === null) return send(response, 200, { code });
  const callback = new URL(redirectUri);
  callback.searchParams.set('code', code);
  callback.searchParams.set('state', parameterOf(record, 'state') ?? '');
  if (mode === 'advertises-iss') callback.searchParams.set('iss', record.issuer);
  return send(response, 200, { code, callbackUrl: callback.href });
}

function reportCode({ response, url, state }: Exchange): void {
  const code = url.searchParams.get('code') ?? '';
  const { tokenCalls = [], userinfoCalls = 0, hugeBytes = 0 } = state.records.get(code) ?? {};
  const internalVisits = state.visits.get(internalPath(code)) ?? 0;
  send(response, 200, { tokenCalls, userinfoCalls, internalVisits, hugeBytes } satisfies CodeReport);
}

function reportVisits({ response, prefix, state: { visits } }: Exchange): void {
  const body: IssuerVisits = {
    discovery: visits.get(`${prefix}${DISCOVERY}`) ?? 0,
    jwks: visits.get(`${prefix}/jwks`) ?? 0,
    internal: visits.get(internalPath(`${prefix}${DISCOVERY}`)) ?? 0,
  };
  send(response, 200, body);
}

/** With `rotated-keys` the RSA key is new, and appears from the second read on. */
function serveJwks({ response, mode, prefix, state }: Exchange): void {
  const { keys } = state.keys.jwks;
  const early = mode === 'rotated-keys' && state.visits.get(`${prefix}/jwks`) === 1;
  const body =
    mode === 'jwks-broken-json' ? '{"keys":' : { keys: keys.filter((key) => !early || key.kty !== 'RSA') };
  send(response, mode === 'jwks-500' ? 500 : 200, body);
}

function serveRest({ response, url, prefix, state }: Exchange): void {
  const internal = state.internalBodies.get(url.pathname);
  if (internal) send(response, 200, internal);
  else if (url.pathname !== `${prefix}/authorize`) send(response, 404, { error: 'not_found' });
  else send(response, 200, '<!doctype html><title>Sign in</title>', 'text/html');
}

const ROUTES = new Map<string, (exchange: Exchange) => Promise<void> | void>([
  [DISCOVERY, serveDiscovery],
  ['/jwks', serveJwks],
  ['/token', serveToken],
  ['/userinfo', serveUserinfo],
  ['/control/code', makeCode],
  ['/control/calls', reportCode],
  ['/control/visits', reportVisits],
]);

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.origin);
  const [, prefix = '', mode = 'ok'] = ROUTE.exec(url.pathname) ?? [];
  state.visits.set(url.pathname, (state.visits.get(url.pathname) ?? 0) + 1);
  const serve = ROUTES.get(url.pathname.slice(prefix.length)) ?? serveRest;
  try {
    await serve({ state, request, response, url, prefix, mode });
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, 400, { error: String(error) });
  }
}

/**
 * Starts an OpenID provider with faults that its caller chooses per code. The issuer itself is sound;
 * `${issuer}/at/<name>` is another sound issuer, and `${issuer}/<mode>` has the named fault.
 */
export async function startLyingProvider(): Promise<{ issuer: string; stop(): Promise<void> }> {
  const keys = await makeKeys();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: State = { origin, keys, records: new Map(), visits: new Map(), internalBodies: new Map() };
  server.on('request', (request, response) => void handle(state, request, response));
  return {
    issuer: origin,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
