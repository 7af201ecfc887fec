/**
 * The service under test, wherever it runs: in this process on libSQL, in workerd on D1, or as a separate Bun
 * server. One HTTP suite drives all three through this.
 */
export interface Target {
  /** BASE_URL, as cookies and redirects see it. */
  readonly origin: string;
  /** Sends one request; redirects are not followed. */
  request(path: string, init?: TargetRequest): Promise<Response>;
  /** Moves the service's clock forward. */
  advance(seconds: number): Promise<void>;
  /** Returns the service's time, epoch milliseconds. */
  now(): number;
  /** Reads or writes the database directly, bypassing the service. */
  rows<Row>(sql: string, values?: (string | number | null)[]): Promise<Row[]>;
  /** The service's database round trips and KV reads so far; null where nobody can count them. */
  trips(): { database: number; kv: number } | null;
  /** Everything the service has stored, as bytes: the database's files, or a dump of it and of KV. */
  files(): Promise<Uint8Array[]>;
  /** Everything the service has logged so far, one JSON object per line. */
  log(): string[];
  /**
   * Stops the service and starts it again on the same database, with these variables overriding the target's
   * own. The clock continues; what the service kept in memory is lost.
   */
  restart(variables?: TargetVariables): Promise<void>;
  /** May be called more than once. */
  close(): Promise<void>;
}

/** The part of a target that a person needs. */
export type Reachable = Pick<Target, 'origin' | 'request' | 'now'>;

export interface TargetRequest {
  readonly method?: string;
  /** Pairs, because a test may send a header twice. */
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Sends the body in chunks, without declaring its length. */
  readonly chunked?: boolean;
  /** The apparent client address; 127.0.0.1 by default. Ignored where a real socket decides. */
  readonly address?: string;
}

/** Environment variables of the service under test, overriding the test defaults. */
export type TargetVariables = Record<string, string>;

/** A key for tests; every target shares it, so that a test can decrypt what the service encrypted. */
export const testSecretKey = 'dGhpcyBpcyBhIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQhISE=';

export const testDefaults: TargetVariables = {
  BASE_URL: 'http://localhost:8787',
  SECRET_KEY: testSecretKey,
  LOG_LEVEL: 'debug',
};
