/**
 * The service under test, wherever it runs: in this process over libSQL, in workerd over D1, or as a Bun
 * server of its own. One HTTP suite drives all three through this.
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
  /** Reads or writes the database directly, beside the service. */
  rows<Row>(sql: string, values?: (string | number | null)[]): Promise<Row[]>;
  /** Database round trips and KV reads of the service so far; null where nobody can count them. */
  trips(): { database: number; kv: number } | null;
  /** Everything the service has stored, as bytes: the database's files, or what a dump of it and of KV holds. */
  files(): Promise<Uint8Array[]>;
  /** Everything the service logged so far, one JSON object a line. */
  log(): string[];
  /**
   * Ends the service and starts it again on the same database, with other variables over those the target was
   * made with. The clock goes on; what the service kept in memory is gone.
   */
  restart(variables?: TargetVariables): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

/** As much of a target as a person needs. */
export type Reachable = Pick<Target, 'origin' | 'request' | 'now'>;

export interface TargetRequest {
  readonly method?: string;
  /** Pairs, because a test may send a header twice. */
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Sends the body in chunks, without saying how long it is. */
  readonly chunked?: boolean;
  /** From where the request seems to come; 127.0.0.1 unless given. Ignored where a real socket decides. */
  readonly address?: string;
}

/** Environment variables of the service under test, over the defaults of a test. */
export type TargetVariables = Record<string, string>;

/** A key for tests; every target shares it, so that a test can open what the service sealed. */
export const testSecretKey = 'dGhpcyBpcyBhIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQhISE=';

export const testDefaults: TargetVariables = {
  BASE_URL: 'http://localhost:8787',
  SECRET_KEY: testSecretKey,
  LOG_LEVEL: 'debug',
};
