/**
 * The service under test, wherever it runs: in this process on libSQL, in workerd on D1, or as a separate Bun
 * server. One HTTP suite drives all three through this.
 */
export interface Target {
  /** BASE_URL, as used in cookies and redirects. */
  readonly origin: string;
  /** Sends one request; redirects are not followed. */
  request(path: string, init?: TargetRequest): Promise<Response>;
  /** Moves the service's clock forward. */
  advance(seconds: number): Promise<void>;
  /** Returns the service's time, epoch milliseconds. */
  now(): number;
  /** Reads or writes the database directly, bypassing the service. */
  rows<Row>(sql: string, values?: (string | number | null)[]): Promise<Row[]>;
  /** The service's database round trips and KV reads so far; null if they cannot be counted. */
  trips(): { database: number; kv: number } | null;
  /** Waits for the work after earlier responses, on targets that count round trips. */
  settled?(): Promise<unknown>;
  /** All data that the service has stored, as bytes: the database's files, or a dump of the database and KV. */
  files(): Promise<Uint8Array[]>;
  /** The service's log so far, one JSON object per line. */
  log(): string[];
  /**
   * Stops the service and starts it again on the same database, with these variables overriding the target's own. The
   * clock continues; the service's memory is lost.
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
  /** The apparent client address; 127.0.0.1 by default. Ignored if the address is that of a real socket. */
  readonly address?: string;
}

/** Environment variables of the service under test, overriding the test defaults. */
export type TargetVariables = Record<string, string>;

/** A key for tests, shared by every target, so that a test can decrypt data encrypted by the service. */
export const testSecretKey = 'dGhpcyBpcyBhIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQhISE=';

export const testDefaults: TargetVariables = {
  BASE_URL: 'http://localhost:8787',
  SECRET_KEY: testSecretKey,
  LOG_LEVEL: 'debug',
};
