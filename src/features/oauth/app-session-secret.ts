import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import {
  createSecret,
  deriveKeys,
  macOf,
  type SecretKeys,
  secretFrom,
  secretHash,
  verifyMac,
} from '../../lib/secret.ts';

/** The app session of a secret, and the app that may present it. */
export interface AppSessionRef {
  readonly sessionId: string;
  readonly appId: string;
  /** The person's tag; null in a code while the person is unknown, and in older popup tokens. */
  readonly person: string | null;
}

/** An app session secret as presented, without checking its state. */
export interface AppSessionSecret {
  readonly sessionId: string;
  readonly person: string | null;
  /** SHA-256 of the whole value; the only stored form. */
  readonly hash: string;
}

type Kind = 'code' | 'refresh';

/** A secret to send, and the form of it to store. */
export interface IssuedSecret {
  readonly value: string;
  readonly hash: string;
}

const shape = /^([\w-]{43}\.(aps_[0-9a-z]{26})(?:\.([\w-]{22}))?)\.([\w-]{22})$/;

/**
 * A new code or refresh token for an app session: 256 random bits, the session id, the person's tag, and a MAC over
 * both, the kind and the app. The MAC distinguishes our tokens from invented ones without a read, as in
 * `session/refresh-token.ts`, and makes a token worthless to another app.
 */
export function createAppSecret(deps: Deps, kind: Kind, ref: AppSessionRef): IssuedSecret {
  return issued(keysOf(deps)[0], kind, createSecret(deps.randomBytes), ref);
}

function issued(key: Uint8Array, kind: Kind, secret: string, ref: AppSessionRef): IssuedSecret {
  const { sessionId, appId, person } = ref;
  const body = `${secret}.${sessionId}${person === null ? '' : `.${person}`}`;
  const value = sealed(key, kind, body, appId);
  return { value, hash: secretHash(value) };
}

/**
 * The successor of a refresh token under each of our keys; the one under the current key is first. It is made from the
 * token by a MAC, so that repeating a refresh after a lost response yields the same successor, and none has to be
 * stored. Without a grace period it is random.
 */
export function successorsOf(
  deps: Deps,
  presented: string,
  ref: AppSessionRef,
): readonly [IssuedSecret, ...IssuedSecret[]] {
  if (deps.config.REFRESH_GRACE_SECONDS === 0) return [createAppSecret(deps, 'refresh', ref)];
  const under = (key: Uint8Array) => issued(key, 'refresh', secretFrom(key, `successor.${presented}`), ref);
  const [current, ...previous] = keysOf(deps);
  return [under(current), ...previous.map(under)];
}

/** Parses a presented secret; null if it was not issued to this app. */
export function parseAppSecret(
  deps: Deps,
  kind: Kind,
  { value, appId }: { readonly value: string; readonly appId: string },
): AppSessionSecret | null {
  const [, body, sessionId, person = null, mac] = shape.exec(value) ?? [];
  if (!body || !sessionId || !mac) return null;
  if (!verifyMac(keysOf(deps), `${kind}.${body}.${appId}`, mac)) return null;
  return { sessionId, person, hash: secretHash(value) };
}

/** A tag that distinguishes an app's people in rate limits without identifying them; it differs between apps. */
export function personTag(deps: Deps, appId: string, handle: string): string {
  return macOf(keysOf(deps)[0], `person.${appId}.${handle}`);
}

/**
 * The code of a request whose person is known. It is always the same, so that a form sent twice gets the same response.
 */
export function codeOf(
  deps: Deps,
  code: string,
  { appId, handle }: { appId: string; handle: string },
): string {
  const [, body = ''] = shape.exec(code) ?? [];
  return sealed(keysOf(deps)[0], 'code', `${body}.${personTag(deps, appId, handle)}`, appId);
}

function sealed(key: Uint8Array, kind: Kind, body: string, appId: string): string {
  return `${body}.${macOf(key, `${kind}.${body}.${appId}`)}`;
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'app-session'));
}
