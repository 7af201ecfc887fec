import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { KeyValueStore } from './lib/key-value.ts';
import type { BucketStore } from './lib/token-bucket.ts';

/** Where log lines go: one JSON object a line. Fields named like secrets are redacted by the writer. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export type LogFields = Record<string, unknown>;

/**
 * Everything impure the service uses. An entry (`worker.ts`, `bun.ts`) or a test builds it; every domain
 * function receives it first, so that a test moves the clock or replaces the outside world in one place.
 */
export interface Deps {
  readonly config: Config;
  readonly db: Database;
  readonly buckets: BucketStore;
  /** Outside the database: the journal of PIDs, from which a restored database learns what it forgot. */
  readonly kv: KeyValueStore;
  readonly log: Logger;
  /** Epoch milliseconds. Taken once per operation and passed on. */
  now(): number;
  /** Cryptographically secure random bytes. */
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** The outside world over HTTP; the sandbox identity provider is answered in process. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Hands one mail to whatever carries it on; rejects when that did not take it. */
  readonly mail: (message: OutgoingMail) => Promise<void>;
  /** Makes the key of a password, which keeps a core busy for a while. */
  readonly scrypt: Scrypt;
  /** Lets work go on after the response was sent (`waitUntil` on Workers). */
  background(work: Promise<unknown>): void;
}

/** scrypt (RFC 7914) over these bytes, to a key of so many. */
export type Scrypt = (
  password: Uint8Array,
  salt: Uint8Array,
  keyBytes: number,
  cost: ScryptCost,
) => Promise<Uint8Array>;

/** What scrypt is to cost, in the RFC's names, and how many bytes of memory it may take at most. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly maxmem: number;
}

/** A mail with its words, ready to be sent. Who sends it is the transport's setting. */
export interface OutgoingMail {
  /** Tells a second try of the same mail from another mail. */
  readonly id: string;
  /** One address, in canonical form. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A clock that development and tests can move forward, to see what expires when. */
export interface DevClock {
  now(): number;
  /** How far it is ahead of the real time, in milliseconds. */
  offset(): number;
  advance(milliseconds: number): void;
}
