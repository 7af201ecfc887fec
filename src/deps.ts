import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { KeyValueStore } from './lib/key-value.ts';
import type { BucketStore } from './lib/token-bucket.ts';

/** Writes one JSON object per line, with fields named like secrets redacted. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** No field may replace the standard fields of a line. */
export type LogFields = Record<string, unknown> & { readonly [Own in 'time' | 'level' | 'event']?: never };

/**
 * All impure dependencies. An entry (`worker.ts`, `bun.ts`) or a test creates them, and functions take them as their
 * first parameter, so that a test can move the clock or replace the outside world in one place.
 */
export interface Deps {
  readonly config: Config;
  readonly db: Database;
  /** The name and version of a database server that has several nodes, once it has responded; `/readyz` names it. */
  engine?(): string | null;
  readonly buckets: BucketStore;
  /** The PID journal, from which a restored database recovers lost PIDs. */
  readonly kv: KeyValueStore;
  readonly log: Logger;
  /** Epoch milliseconds. Taken once per operation and passed on. */
  now(): number;
  /** Cryptographically secure random bytes. */
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** HTTP to the outside world; the sandbox providers respond in process. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Calls an untrusted URL that `isPublicUrl` accepted. Never follows a redirect; rejects if there is no timely
   * response, the name resolves to a private address, or the response is larger than allowed.
   */
  readonly callOut: (call: OutgoingCall) => Promise<CallAnswer>;
  /** Sends one email; rejects if the transport did not accept it. */
  readonly mail: (message: OutgoingMail) => Promise<void>;
  /** Derives a key from a password, which occupies a core for a while. */
  readonly scrypt: Scrypt;
  /** Continues work after the response (`waitUntil` on Workers). */
  background(work: Promise<unknown>): void;
  /** Settings that an operator should change, noticed from requests; `/readyz` lists them. */
  warnings?(): string[];
  /** Absent if metrics are disabled. */
  readonly metrics?: Metrics | undefined;
}

/** Counts events of the service. Logged events are counted by the log; this counts the rest. */
export interface Metrics {
  /** Milliseconds with fractions, for durations. */
  now(): number;
  /**
   * Returns the counter of a route's responses.
   * @param route method and path pattern of one of our routes
   */
  route(route: string): (status: number, ms: number) => void;
  /** @param code the code of the error in a response */
  refused(code: string): void;
}

/** scrypt (RFC 7914). */
export type Scrypt = (
  password: Uint8Array,
  salt: Uint8Array,
  keyBytes: number,
  cost: ScryptCost,
) => Promise<Uint8Array>;

/** The cost parameters, named as in the RFC, and the maximum memory in bytes. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly maxmem: number;
}

export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body to POST; without a body, the call is a GET. */
  readonly body?: string;
  /** The maximum number of response bytes to read; none are read if absent. */
  readonly maxBytes?: number;
  readonly timeoutMs: number;
}

/** The parts of a response that the service uses. */
export interface CallAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** `Content-Type` and `Cache-Control`. */
  readonly contentType?: string | null;
  readonly cacheControl?: string | null;
  /** The body, if `maxBytes` is given. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** An email ready to be sent; the transport adds the sender. */
export interface OutgoingMail {
  /** The same for each attempt to send this email. */
  readonly id: string;
  /** One address, in canonical form. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A clock that development and tests can move forward. */
export interface DevClock {
  now(): number;
  /** Milliseconds ahead of the real time. */
  offset(): number;
  advance(milliseconds: number): void;
}
