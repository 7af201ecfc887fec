import type { LoginOutcome } from './auth.ts';
import type { ClaimApi } from './claim.ts';
import type { Core } from './core.ts';
import { isApiError, type Result } from './errors.ts';
import type { Credential } from './types.ts';

/**
 * A ceremony that ended without a passkey, which is no error: the person or a newer ceremony stopped it, this browser
 * has no passkeys, or this device has one of the person's already.
 */
export interface PasskeyStop {
  type: 'cancelled' | 'unsupported' | 'exists';
}

/** Passkeys. Only one ceremony runs at a time: a new one stops the last, such as an autofill that waits. */
export interface PasskeysApi {
  /** Whether this browser has passkeys at all. */
  isSupported(): boolean;
  /** Whether `login({ autofill: true })` can offer passkeys in a field with `autocomplete="username webauthn"`. */
  isAutofillAvailable(): Promise<boolean>;
  /** Signs in with a passkey, whosever it is. With `autofill` it waits, unseen, until the person picks one in a field. */
  login(options?: { autofill?: boolean; signal?: AbortSignal }): Promise<Result<LoginOutcome | PasskeyStop>>;
  /** Makes a passkey a newcomer's first credential, which leads to the claim. */
  signUp(options?: { signal?: AbortSignal }): Promise<Result<LoginOutcome | PasskeyStop>>;
  /** Adds one to who is signed in. 403 unless signed in lately. */
  register(options?: { name?: string; signal?: AbortSignal }): Promise<Result<Credential | PasskeyStop>>;
  /** Names one, in the person's list; authenticators show the person's own name. */
  rename(id: string, name: string): Promise<Result<Credential>>;
  /** Takes one away, and tells the authenticator so. 400 for the last credential, 403 unless signed in lately. */
  remove(id: string): Promise<Result<{ ok: true }>>;
}

interface Signals {
  rpId: string;
  users: { id: string; name: string; displayName: string; credentialIds: string[] }[];
}

/** What not every browser's `PublicKeyCredential` has. */
type NewStatics = Partial<
  Record<'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON', (options: unknown) => unknown> &
    Record<'signalAllAcceptedCredentials' | 'signalCurrentUserDetails', (signal: object) => Promise<void>> & {
      isConditionalMediationAvailable: () => Promise<boolean>;
    }
>;

interface Options {
  autofill?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

interface Descriptor {
  id: string;
}

/** Options of a ceremony in WebAuthn's JSON; only those of a registration name a user. */
interface Asked {
  challenge: string;
  user?: { id: string };
  allowCredentials?: Descriptor[];
  excludeCredentials?: Descriptor[];
}

/** How a browser says that there will be no passkey (WebAuthn level 3, sections 5.1.3 and 5.1.4). */
const stops: Record<string, PasskeyStop['type']> = {
  AbortError: 'cancelled',
  NotAllowedError: 'cancelled',
  InvalidStateError: 'exists',
  SecurityError: 'unsupported',
};

const statics = () => (globalThis as { PublicKeyCredential?: NewStatics }).PublicKeyCredential;

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

const withBytes = (one: Descriptor) => ({ ...one, id: toBytes(one.id) });

/** What the browser's own reader makes of the options, for browsers without one. */
const readOptions = (asked: Asked) => ({
  ...asked,
  challenge: toBytes(asked.challenge),
  user: asked.user && withBytes(asked.user),
  allowCredentials: asked.allowCredentials?.map(withBytes),
  excludeCredentials: asked.excludeCredentials?.map(withBytes),
});

function toJson(credential: PublicKeyCredential): object {
  if (credential.toJSON) return credential.toJSON();
  const { id, type } = credential;
  const response: Record<string, string> = {};
  for (const name in credential.response) {
    const part: unknown = credential.response[name as 'clientDataJSON'];
    if (!(part instanceof ArrayBuffer)) continue;
    const text = btoa(String.fromCharCode(...new Uint8Array(part)));
    response[name] = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  }
  return { id, rawId: id, type, response };
}

export function createPasskeys({ send, call, store, readSession }: Core, claim: ClaimApi): PasskeysApi {
  let stopLast: (() => void) | undefined;
  let last: Promise<unknown> | undefined;
  const path = '/v1/credentials/';

  /** One ceremony from its options to its answer; the one before it has ended when it begins. */
  async function run<T>(
    sender: Core['send'],
    at: string,
    { autofill, signal: outer }: Options,
    extra?: object,
  ): Promise<Result<T | PasskeyStop>> {
    const api = statics();
    if (!api) return { type: 'unsupported' };
    stopLast?.();
    await last;
    const ender = new AbortController();
    stopLast = () => ender.abort();
    const signal = outer ? AbortSignal.any([outer, ender.signal]) : ender.signal;
    const work = async (): Promise<Result<T | PasskeyStop>> => {
      const asked = await sender<Asked>(`${at}/options`, { method: 'POST', body: {}, signal });
      signal.throwIfAborted();
      if (isApiError(asked)) return asked;
      const method = asked.user ? 'create' : 'get';
      const parse = `parse${asked.user ? 'Creation' : 'Request'}OptionsFromJSON` as const;
      const publicKey = api[parse]?.(asked) ?? readOptions(asked);
      const mediation = autofill ? { mediation: 'conditional' } : {};
      const credential = await navigator.credentials[method]({ publicKey, signal, ...mediation } as never);
      return sender<T>(`${at}/verify`, {
        method: 'POST',
        body: { ...toJson(credential as PublicKeyCredential), ...extra },
      });
    };
    last = work().catch(({ name, message }: Error): Result<PasskeyStop> => {
      const type = stops[name];
      return type ? { type } : { statusCode: 0, message };
    });
    return last as Promise<Result<T | PasskeyStop>>;
  }

  /** With a signal the read is its own, so that none from before the sign-in answers for it. */
  async function redeem(): Promise<Result<LoginOutcome>> {
    const session = await readSession(new AbortController().signal);
    return isApiError(session) ? session : { type: 'signed_in', session };
  }

  /** Tells the person's authenticators which passkeys are good, and after whom they are named. */
  async function signal(before?: Result<Signals>): Promise<void> {
    const now = await call<Signals>(`${path}passkey`);
    if (isApiError(now)) return;
    const { rpId, users } = now;
    const gone = isApiError(before)
      ? []
      : before?.users.filter(({ id }) => users.every((user) => user.id !== id));
    try {
      for (const user of [...users, ...(gone ?? []).map((one) => ({ ...one, credentialIds: [] }))]) {
        const told = { ...user, rpId, userId: user.id, allAcceptedCredentialIds: user.credentialIds };
        await statics()?.signalAllAcceptedCredentials?.(told);
        await statics()?.signalCurrentUserDetails?.(told);
      }
    } catch {
      // A hint for the authenticator; nothing depends on it.
    }
  }

  return {
    isSupported: () => !!statics(),
    isAutofillAvailable: async () => !!(await statics()?.isConditionalMediationAvailable?.()),
    async login(options = {}) {
      const done = await run<{ ok: true }>(send, '/v1/auth/passkey', options);
      return 'ok' in done ? redeem() : done;
    },
    async signUp(options = {}) {
      const done = await run<{ claim: boolean }>(send, '/v1/auth/passkey/register', options);
      if (!('claim' in done)) return done;
      // Nobody knew the PID when the passkey was made; the authenticator learns it once there is one.
      const end = store.on('signed_in', () => {
        end();
        void signal();
      });
      if (!done.claim) return redeem();
      const preview = await claim.preview();
      return isApiError(preview) ? preview : { type: 'claim_required', claim: preview };
    },
    register: ({ name, ...options } = {}) =>
      run<Credential>(call, `${path}passkey`, options, name ? { name } : {}),
    rename: (id, name) => call(path + encodeURIComponent(id), { method: 'PATCH', body: { name } }),
    async remove(id) {
      const before = await call<Signals>(`${path}passkey`);
      const done = await call<{ ok: true }>(path + encodeURIComponent(id), { method: 'DELETE' });
      if (!isApiError(done)) await signal(before);
      return done;
    },
  };
}
