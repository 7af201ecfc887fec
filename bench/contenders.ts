import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openSigningKey, type ReadTarget } from './access-tokens.ts';
import type { SeedRequest, SeedResponse } from './floor.ts';
import { Connection, connectionCount } from './load.ts';
import type { Service } from './processes.ts';
import { signInPeople } from './sign-in.ts';

/** A running server with signed-in people, ready for the same load as its rival. */
export interface Contender {
  port: number;
  targets: (ReadTarget & { readonly cookies: string })[];
  refreshTokens: string[];
  signingKey: () => Promise<KeyObject>;
}

const peopleCount = 100;

export async function preparePeridot(service: Service): Promise<Contender> {
  const connection = await Connection.open(service.port);
  try {
    const sessions = await signInPeople(connection, peopleCount);
    return {
      port: service.port,
      targets: sessions,
      refreshTokens: sessions.map(({ refreshToken }) => refreshToken),
      signingKey: () => openSigningKey(service),
    };
  } finally {
    connection.close();
  }
}

/**
 * Sets up the sessions of a floor so that its reads return exactly `bodies`, and both sides send the same number of
 * bytes.
 */
export async function prepareFloor(service: Service, bodies: string[]): Promise<Contender> {
  const request: SeedRequest = { sessions: bodies.map((body): unknown => JSON.parse(body)) };
  const response = await fetch(`http://127.0.0.1:${service.port}/seed`, {
    method: 'POST',
    body: JSON.stringify(request),
  });
  if (!response.ok)
    throw new Error(`${service.name} was not seeded: ${response.status} ${await response.text()}`);
  const { privateJwk, accessTokens, refreshTokens } = parseSeedResponse(await response.text());
  return {
    port: service.port,
    targets: bodies.map((body, index) => ({
      accessToken: accessTokens[index] ?? '',
      cookies: `pid_access=${accessTokens[index]}`,
      body,
    })),
    refreshTokens,
    signingKey: async () => createPrivateKey({ key: privateJwk, format: 'jwk' }),
  };
}

/** Session bodies for runs that compare only floors. */
export function sampleBodies(): string[] {
  return Array.from({ length: Math.max(peopleCount, connectionCount) }, (_, index) =>
    JSON.stringify({
      pid: `bench${String(index).padStart(7, '0')}@pid`,
      handle: `bench${String(index).padStart(7, '0')}`,
      profile: { displayName: `Bench ${index}`, locale: 'en' },
      session: {
        id: `ses_${String(index).padStart(26, '0')}`,
        provider: 'idp',
        authenticatedAt: '2026-01-01T00:00:00.000Z',
        expiresAt: '2026-04-01T00:00:00.000Z',
      },
      roles: [],
    }),
  );
}

function parseSeedResponse(text: string): SeedResponse {
  return JSON.parse(text);
}
