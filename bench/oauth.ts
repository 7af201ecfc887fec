import { type Contender, preparePeridot } from './contenders.ts';
import { openFile } from './database.ts';
import { type Answer, Connection, connectionCount, drive, postRequest, WrongAnswer } from './load.ts';
import type { Service } from './processes.ts';
import type { Bar } from './report.ts';
import type { Scenario } from './scenarios.ts';
import { change, residentMiB } from './webhooks.ts';

/** A token endpoint, and its client's credentials. */
export interface TokenEndpoint {
  readonly port: number;
  readonly path: string;
  /** The Authorization header. */
  readonly authorization: string;
  /** Makes the proofs of a round, if the client sends any. */
  prepare?(seconds: number): Promise<void>;
  /** An unused proof; undefined if there is none left. */
  proof?(): string | undefined;
  /** Creates unused codes, or refresh tokens from different sign-ins. */
  mint(kind: 'code' | 'refresh', count: number): Promise<string[]>;
}

const redirectUri = 'https://shop.example.com/callback';
/** The example of RFC 7636 appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const form = 'application/x-www-form-urlencoded';
/** A code is valid for a minute; a round's codes are created in less time. */
const mintSeconds = 30;

interface Tokens {
  access_token?: string;
  refresh_token?: string;
  id_token?: string;
}

async function requestTokens(
  connection: Connection,
  { path, authorization, proof }: TokenEndpoint,
  fields: Record<string, string>,
): Promise<Tokens> {
  const body = new URLSearchParams(fields).toString();
  const headers = `Authorization: ${authorization}\r\n${proof ? `DPoP: ${proof()}\r\n` : ''}`;
  const answer = await connection.exchange(postRequest(path, '', form, body, headers));
  if (answer.status !== 200) throw new WrongAnswer('200 with tokens', answer);
  return JSON.parse(answer.body);
}

function ofCode(code: string): Record<string, string> {
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
}

/** Refreshes in chains, one per connection: each request presents the token from the last response. */
export async function appRefreshChains(endpoint: TokenEndpoint): Promise<Scenario> {
  const current = await endpoint.mint('refresh', connectionCount);
  return async (seconds) => {
    await endpoint.prepare?.(seconds);
    return drive(endpoint.port, seconds, async (connection, index) => {
      const presented = current[index] ?? '';
      const fields = { grant_type: 'refresh_token', refresh_token: presented };
      const { access_token, refresh_token } = await requestTokens(connection, endpoint, fields);
      if (!access_token || !refresh_token || refresh_token === presented) throw new Error('no new tokens');
      current[index] = refresh_token;
      return true;
    });
  };
}

/** Only the exchange is timed; its codes are created before the round. */
export function codeExchanges(endpoint: TokenEndpoint): Scenario {
  let expectedPerSecond = 1_000;
  return async (seconds) => {
    const codes = await endpoint.mint('code', Math.ceil(expectedPerSecond * seconds * 1.5));
    await endpoint.prepare?.(seconds);
    const round = await drive(endpoint.port, seconds, async (connection) => {
      const code = codes.pop();
      if (code === undefined) return false;
      const { access_token, id_token } = await requestTokens(connection, endpoint, ofCode(code));
      if (!access_token || !id_token) throw new Error('no tokens');
      return true;
    });
    expectedPerSecond = round.requestsPerSecond;
    return round;
  };
}

/** The endpoint of `bench/oidc-provider.ts`. */
export function oidcProviderEndpoint(port: number): TokenEndpoint {
  return {
    port,
    path: '/token',
    authorization: basic('shop', 'only for this run'),
    async mint(kind, count) {
      const answer = await fetch(`http://127.0.0.1:${port}/mint?kind=${kind}&count=${count}`);
      if (!answer.ok) throw new Error(`nothing was minted: ${await answer.text()}`);
      return (await answer.json()) as string[];
    },
  };
}

/** Registers an app to which the contender's people have given access. */
export async function appEndpoint(
  service: Service,
  { port, targets }: Contender,
  idTokenAlg: 'RS256' | 'ES256',
): Promise<TokenEndpoint> {
  const people = targets.map(({ cookies }) => cookies);
  const [cookies = ''] = people;
  const fields = {
    name: `Shop ${idTokenAlg}`,
    type: 'web',
    idTokenAlg,
    redirectUris: [redirectUri],
    scopes: ['openid', 'offline_access'],
  };
  const { id, secret } = await change<{ id: string; secret: { value: string } }>(
    port,
    cookies,
    '/v1/apps',
    fields,
  );
  const address = authorizeAddress(id);
  for (const one of people) await consent(port, one, address);
  const endpoint: TokenEndpoint = {
    port,
    path: '/v1/auth/token',
    authorization: basic(id, secret.value),
    async mint(kind, count) {
      if (kind === 'code') forgetSignIns(service, id);
      const codes = await authorize({ port, people, address }, count);
      return kind === 'code' ? codes : refreshTokensOf(endpoint, codes);
    },
  };
  return endpoint;
}

/** A session has at most 200 sign-ins to apps. Refresh tokens of the app end with this. */
function forgetSignIns(service: Service, appId: string): void {
  const database = openFile(service);
  database.prepare('DELETE FROM app_sessions WHERE app_id = ?').run(appId);
  database.close();
}

async function refreshTokensOf(endpoint: TokenEndpoint, codes: readonly string[]): Promise<string[]> {
  const connection = await Connection.open(endpoint.port);
  try {
    const tokens: string[] = [];
    for (const code of codes) {
      tokens.push((await requestTokens(connection, endpoint, ofCode(code))).refresh_token ?? '');
    }
    return tokens;
  } finally {
    connection.close();
  }
}

function basic(id: string, secret: string): string {
  return `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}`;
}

function authorizeAddress(clientId: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid offline_access',
    state: 'bench',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `/v1/auth/authorize?${query}`;
}

const navigation = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' };

/** Allows the app on the consent page. */
async function consent(port: number, cookies: string, address: string): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const page = await fetch(`${origin}${address}`, {
    headers: { ...navigation, Cookie: cookies },
    redirect: 'manual',
  });
  const text = await page.text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const set = page.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const body = new URLSearchParams({ request: field('request'), proof: field('proof'), decision: 'allow' });
  const headers = {
    ...navigation,
    'Content-Type': form,
    Origin: origin,
    Cookie: [cookies, ...set].join('; '),
  };
  const answer = await fetch(`${origin}/v1/auth/authorize`, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
  });
  if (answer.status !== 200) throw new Error(`no consent: ${answer.status} ${await answer.text()}`);
}

interface Asking {
  readonly port: number;
  /** The cookies of each. */
  readonly people: readonly string[];
  readonly address: string;
}

/** Codes under a grant that covers the request: at most as many as half a minute produces. */
async function authorize({ port, people, address }: Asking, count: number): Promise<string[]> {
  const lines = Object.entries(navigation).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = people.map(
    (cookies) => `GET ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookies}\r\n${lines.join('')}\r\n`,
  );
  const codes: string[] = [];
  let missing = count;
  await drive(port, mintSeconds, async (connection) => {
    missing -= 1;
    if (missing < 0) return false;
    codes.push(codeIn(await connection.exchange(requests[missing % requests.length] ?? '')));
    return true;
  });
  return codes;
}

function codeIn(answer: Answer): string {
  const [, code] = /\r\nlocation: [^\r]*[?&]code=([^&\r]+)/i.exec(answer.head) ?? [];
  if (answer.status !== 302 || code === undefined) throw new WrongAnswer('302 with a code', answer);
  return code;
}

/**
 * The memory that app sessions in the database add to a service that refreshes others and purges: half of them were
 * revoked long ago.
 */
export async function memoryOfAppSessions(start: () => Promise<Service>, sessions = 100_000): Promise<Bar> {
  const [few, many] = [await memoryBeside(await start(), 0), await memoryBeside(await start(), sessions)];
  return {
    name: `memory for ${sessions.toLocaleString('en')} app sessions (${few.toFixed(0)} MiB without)`,
    value: many - few,
    unit: 'MiB',
    most: 10,
  };
}

async function memoryBeside(service: Service, sessions: number): Promise<number> {
  const refresh = await appRefreshChains(await appEndpoint(service, await preparePeridot(service), 'ES256'));
  addAppSessions(service, sessions);
  const settled = async () => {
    await refresh(1);
    await fetch(`http://127.0.0.1:${service.port}/dev/scheduled`, { method: 'POST' });
  };
  for (let round = 0; round < 8; round += 1) await settled();
  const held = residentMiB(service.pid);
  await service.stop();
  return held;
}

/** Copies an app session. Every other copy was revoked a month ago, so that the purge has much to do. */
function addAppSessions(service: Service, count: number): void {
  const database = openFile(service);
  const kept =
    'grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, created_at, used_by, token_hash';
  database
    .prepare(`INSERT INTO app_sessions (id, expires_at, ${kept})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      SELECT 'aps_' || printf('%026d', i), expires_at - (i % 2) * 60 * 86400000, ${kept}
      FROM n, (SELECT * FROM app_sessions LIMIT 1)`)
    .run(count);
  database.close();
}
