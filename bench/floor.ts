import { createHash, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';

/** Where a floor stores its refresh tokens. `rotate` is one atomic batch of two statements and nothing else. */
export interface RotationStore {
  seed(tokens: { hash: string; sessionId: string; expiresAt: number }[]): Promise<void>;
  /** The session whose token was replaced, or undefined if the token is unknown, expired or used. */
  rotate(input: {
    hash: string;
    successorHash: string;
    now: number;
    expiresAt: number;
  }): Promise<string | undefined>;
}

export interface SeedRequest {
  /** The bodies that the session read must return, so that a floor sends as many bytes as the service. */
  sessions: unknown[];
}

export interface SeedResponse {
  privateJwk: JWK;
  accessTokens: string[];
  refreshTokens: string[];
}

export const createTable =
  'CREATE TABLE IF NOT EXISTS refresh_tokens (hash TEXT PRIMARY KEY, session_id TEXT NOT NULL, expires_at INTEGER NOT NULL, successor TEXT) WITHOUT ROWID';
export const insertToken = 'INSERT INTO refresh_tokens (hash, session_id, expires_at) VALUES (?, ?, ?)';
export const markRotated =
  'UPDATE refresh_tokens SET successor = ? WHERE hash = ? AND successor IS NULL AND expires_at > ? RETURNING session_id';
export const insertSuccessor =
  'INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT successor, session_id, ? FROM refresh_tokens WHERE hash = ? AND successor = ?';

const accessTtlSeconds = 900;
const refreshTtlMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The minimum work of a session read and of a single-use refresh, with the same framework and libraries as the service,
 * under the same paths and cookie names. Ratios are relative to this floor.
 */
export function createFloor<Bindings extends object>(
  openStore: (bindings: Bindings) => RotationStore,
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  const sessions = new Map<string, unknown>();
  let keys: Awaited<ReturnType<typeof generateKeyPair>> | undefined;

  app.get('/healthz', (c) => c.json({ ok: true }));

  app.post('/seed', async (c) => {
    const { sessions: bodies } = await c.req.json<SeedRequest>();
    keys = await generateKeyPair('ES256', { extractable: true });
    const seeds = bodies.map((body, index) => ({
      sessionId: `ses_${index}`,
      body,
      refreshToken: newToken(),
    }));
    for (const { sessionId, body } of seeds) sessions.set(sessionId, body);
    const expiresAt = Date.now() + refreshTtlMs;
    await openStore(c.env).seed(
      seeds.map(({ sessionId, refreshToken }) => ({ hash: hashToken(refreshToken), sessionId, expiresAt })),
    );
    const { privateKey } = keys;
    const response: SeedResponse = {
      privateJwk: await exportJWK(privateKey),
      accessTokens: await Promise.all(
        seeds.map(({ sessionId, body }) => signAccessToken(privateKey, sessionId, body)),
      ),
      refreshTokens: seeds.map(({ refreshToken }) => refreshToken),
    };
    return c.json(response);
  });

  app.get('/v1/auth/session', async (c) => {
    const token = getCookie(c, 'pid_access');
    if (token === undefined || keys === undefined) return c.json({ statusCode: 401 }, 401);
    try {
      const { payload } = await jwtVerify(token, keys.publicKey, { algorithms: ['ES256'] });
      return c.json(payload['session']);
    } catch {
      return c.json({ statusCode: 401 }, 401);
    }
  });

  app.post('/v1/auth/refresh', async (c) => {
    const presented = getCookie(c, 'pid_refresh');
    if (presented === undefined || keys === undefined) return c.json({ statusCode: 401 }, 401);
    const successor = newToken();
    const now = Date.now();
    const sessionId = await openStore(c.env).rotate({
      hash: hashToken(presented),
      successorHash: hashToken(successor),
      now,
      expiresAt: now + refreshTtlMs,
    });
    if (sessionId === undefined) return c.json({ statusCode: 401 }, 401);
    const accessToken = await signAccessToken(keys.privateKey, sessionId, sessions.get(sessionId));
    setCookie(c, 'pid_access', accessToken, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 900 });
    setCookie(c, 'pid_refresh', successor, {
      httpOnly: true,
      sameSite: 'Lax',
      path: '/v1/auth',
      maxAge: refreshTtlMs / 1000,
    });
    return c.body(null, 204);
  });

  return app;
}

function signAccessToken(privateKey: CryptoKey, sessionId: string, session: unknown): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: sessionId, session })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTtlSeconds)
    .sign(privateKey);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
