import type { KeyObject } from 'node:crypto';
import { mintAccessTokens, type ReadTarget } from './access-tokens.ts';
import {
  type Connection,
  connectionCount,
  drive,
  getRequest,
  postRequest,
  type Round,
  type Step,
  summarize,
  WrongAnswer,
  withConnections,
} from './load.ts';
import { type CookieJar, claim, goThroughProvider, newPerson, setCookieValue, signIn } from './sign-in.ts';

/** One round of load against one server. Each round continues where the previous one stopped. */
export type Scenario = (seconds: number) => Promise<Round>;

/**
 * Session reads over a fixed set of sessions, in order.
 * @param headers further header lines, each with its line break
 */
export function readsInCycles(
  port: number,
  targets: (ReadTarget & { readonly cookies?: string })[],
  headers = '',
): Scenario {
  let next = 0;
  return (seconds) =>
    drive(port, seconds, async (connection) => {
      const target = targets[next++ % targets.length];
      if (target === undefined) return false;
      // A page's read counts only with the key of its session.
      await readSession(connection, target, headers, headers === '' ? undefined : target.cookies);
      return true;
    });
}

/** Session reads with a new token for each request, created between the rounds. */
export function readsOfNewTokens(port: number, signingKey: KeyObject, samples: ReadTarget[]): Scenario {
  let expectedPerSecond = 20_000;
  return async (seconds) => {
    const unused = mintAccessTokens(signingKey, samples, Math.ceil(expectedPerSecond * seconds * 1.5));
    const round = await drive(port, seconds, async (connection) => {
      const target = unused.pop();
      if (target === undefined) return false;
      await readSession(connection, target);
      return true;
    });
    expectedPerSecond = round.requestsPerSecond;
    return round;
  };
}

/** Refreshes in chains, one per connection: each request presents the token set by the last response. */
export function refreshChains(port: number, refreshTokens: string[], count = connectionCount): Scenario {
  const current = refreshTokens.slice(0, count);
  if (current.length < count) throw new Error('Each connection needs a session of its own');
  const step: Step = async (connection, index) => {
    current[index] = await refresh(connection, current[index] ?? '');
    return true;
  };
  return (seconds) => drive(port, seconds, step, count);
}

/** All connections present one token simultaneously. Only one may win; the rate counts the rejected ones. */
export function lostRaces(port: number, refreshToken: string): Scenario {
  let current = refreshToken;
  return (seconds) =>
    withConnections(port, connectionCount, async (connections) => {
      const latencies: number[] = [];
      const startedAt = performance.now();
      while (performance.now() - startedAt < seconds * 1000) {
        const racedAt = performance.now();
        current = await raceOnce(connections, current, () => latencies.push(performance.now() - racedAt));
      }
      return summarize(latencies, performance.now() - startedAt);
    });
}

/** New people: the whole sign-in at the provider, and the claim of a handle. */
export function newcomers(port: number): Scenario {
  return (seconds) =>
    drive(port, seconds, async (connection) => {
      await signIn(connection, newPerson());
      return true;
    });
}

/** Only the claim is timed; its tickets are created before the round. */
export function claims(port: number, ticketsPerSecond: number): Scenario {
  return async (seconds) => {
    const tickets: { person: string; jar: CookieJar }[] = [];
    let missing = Math.ceil(ticketsPerSecond * seconds);
    await drive(port, Number.POSITIVE_INFINITY, async (connection) => {
      if (missing-- <= 0) return false;
      const person = newPerson();
      tickets.push({ person, jar: await goThroughProvider(connection, person) });
      return true;
    });
    return await drive(port, seconds, async (connection) => {
      const ticket = tickets.pop();
      if (ticket === undefined) return false;
      await claim(connection, ticket.jar, ticket.person);
      return true;
    });
  };
}

/** People who already have an identity, one per connection, sign in at the provider repeatedly. */
export function returningPeople(port: number): Scenario {
  const people = Array.from({ length: connectionCount }, newPerson);
  return (seconds) =>
    drive(port, seconds, async (connection, index) => {
      await signIn(connection, people[index] ?? '');
      return true;
    });
}

async function readSession(
  connection: Connection,
  target: ReadTarget,
  headers = '',
  cookies = `pid_access=${target.accessToken}`,
): Promise<void> {
  const answer = await connection.exchange(getRequest('/v1/auth/session', cookies, headers));
  if (answer.status !== 200 || answer.body !== target.body)
    throw new WrongAnswer(`200 ${target.body}`, answer);
}

async function refresh(connection: Connection, presented: string): Promise<string> {
  const answer = await connection.exchange(refreshRequest(presented));
  const successor = setCookieValue(answer.head, 'pid_refresh');
  const accessToken = setCookieValue(answer.head, 'pid_access');
  if (
    answer.status !== 204 ||
    successor === undefined ||
    successor === presented ||
    accessToken === undefined
  ) {
    throw new WrongAnswer('204 with two new cookies', answer);
  }
  return successor;
}

async function raceOnce(connections: Connection[], presented: string, onLoss: () => void): Promise<string> {
  const winners: string[] = [];
  await Promise.all(
    connections.map(async (connection) => {
      const answer = await connection.exchange(refreshRequest(presented));
      const successor = setCookieValue(answer.head, 'pid_refresh');
      if (answer.status === 204 && successor !== undefined) winners.push(successor);
      else if (answer.status === 401 && successor === undefined) onLoss();
      else throw new WrongAnswer('204 with a new token, or 401 without', answer);
    }),
  );
  const [winner] = winners;
  if (winner === undefined || winners.length > 1) throw new Error(`${winners.length} requests won one token`);
  return winner;
}

function refreshRequest(token: string): string {
  return postRequest('/v1/auth/refresh', `pid_refresh=${token}`);
}
