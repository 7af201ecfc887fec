import type { Core } from './core.ts';
import type { Result } from './errors.ts';
import type { PasskeyStop, PasskeysApi } from './passkey-types.ts';
import type { Credential } from './types.ts';

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
  autofill?: boolean;
  name?: string;
  signal?: AbortSignal;
}

/** Bytes as base64url. */
type ToText = (bytes: Uint8Array) => string;

interface Descriptor {
  id: string;
}

/** Options of a ceremony in WebAuthn's JSON; only those of a registration name a user, and passkeys. */
interface Asked {
  challenge: string;
  user?: { id: string };
  excludeCredentials?: Descriptor[];
}

/** How a browser says that there will be no passkey (WebAuthn level 3, sections 5.1.3 and 5.1.4). */
const stops: Record<string, PasskeyStop['type']> = {
  AbortError: 'cancelled',
  NotAllowedError: 'cancelled',
  InvalidStateError: 'exists',
  SecurityError: 'unsupported',
};

/** What this browser can do with passkeys; undefined where it has none. */
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
  excludeCredentials: asked.excludeCredentials?.map(withBytes),
});

function toJson(credential: PublicKeyCredential, toText: ToText): object {
  if (credential.toJSON) return credential.toJSON();
  const { id, type } = credential;
  const response: Record<string, string> = {};
  for (const name in credential.response) {
    const part: unknown = credential.response[name as 'clientDataJSON'];
    if (!(part instanceof ArrayBuffer)) continue;
    response[name] = toText(new Uint8Array(part));
  }
  return { id, rawId: id, type, response };
}

/** Everything of `client.passkeys` that can wait for this file; it imports types alone, so that it loads as one. */
export function createCeremonies(core: Core, toText: ToText): Omit<PasskeysApi, 'isSupported' | 'rename'> {
  const { send, call } = core;
  let ender: AbortController | undefined;
  let last: Promise<unknown> | undefined;
  const path = '/v1/credentials';

  /**
   * One ceremony from its options to its answer. It stops the one before it at once, and begins when that has ended:
   * calls that came together, as while this file was loading, end all but the last.
   */
  async function run<T>(
    sender: Core['send'],
    at: string,
    { autofill, name: passkey, signal: outer }: Options = {},
  ): Promise<Result<T | PasskeyStop>> {
    const api = statics();
    if (!api) return { type: 'unsupported' };
    ender?.abort();
    ender = new AbortController();
    const signal = outer ? AbortSignal.any([outer, ender.signal]) : ender.signal;
    const before = last;
    const work = async (): Promise<Result<T | PasskeyStop>> => {
      await before;
      const asked = await sender<Asked>(`${at}/options`, { method: 'POST', body: {}, signal });
      signal.throwIfAborted();
      if ('statusCode' in asked) return asked;
      const { user } = asked;
      const parse = `parse${user ? 'Creation' : 'Request'}OptionsFromJSON` as const;
      const publicKey = api[parse]?.(asked) ?? readOptions(asked);
      const mediation = autofill ? 'conditional' : undefined;
      const credential = await navigator.credentials[user ? 'create' : 'get']({
        publicKey,
        signal,
        mediation,
      } as never);
      return sender<T>(`${at}/verify`, {
        method: 'POST',
        body: { ...toJson(credential as PublicKeyCredential, toText), name: passkey || undefined },
      });
    };
    const running = work().catch(({ name, message }: Error): Result<PasskeyStop> => {
      const type = stops[name];
      return type ? { type } : { statusCode: 0, message };
    });
    last = running;
    return running;
  }

  /** Tells the person's authenticators which passkeys are good, and after whom they are named. */
  async function signal(before: Signals['users'] = []): Promise<void> {
    const now = await call<Signals>(`${path}/passkey`);
    if ('statusCode' in now) return;
    const { rpId, users } = now;
    const all = new Map([...before, ...users].map((user) => [user.id, user]));
    try {
      for (const [userId, user] of all) {
        const allAcceptedCredentialIds = users.includes(user) ? user.credentialIds : [];
        const told = { ...user, rpId, userId, allAcceptedCredentialIds };
        await statics()?.signalAllAcceptedCredentials?.(told);
        await statics()?.signalCurrentUserDetails?.(told);
      }
    } catch {
      // A hint for the authenticator; nothing depends on it.
    }
  }

  return {
    isAutofillAvailable: async () => !!(await statics()?.isConditionalMediationAvailable?.()),
    async login(options) {
      const done = await run<{ ok: true }>(send, '/v1/auth/passkey', options);
      return 'ok' in done ? core.redeem() : done;
    },
    async signUp(options) {
      const done = await run<{ claim: boolean }>(send, '/v1/auth/passkey/register', options);
      if (!('claim' in done)) return done;
      // Nobody knew the PID when the passkey was made; the authenticator learns it once there is one.
      const end = core.store.on('signed_in', () => {
        end();
        void signal();
      });
      if (!done.claim) return core.redeem();
      const preview = await core.claim.preview();
      return 'statusCode' in preview ? preview : { type: 'claim_required', claim: preview };
    },
    register: (options) => run<Credential>(call, `${path}/passkey`, options),
    async remove(id) {
      const before = await call<Signals>(`${path}/passkey`);
      const done = await call<{ ok: true }>(`${path}/${encodeURIComponent(id)}`, { method: 'DELETE' });
      if ('ok' in done) await signal('users' in before ? before.users : []);
      return done;
    },
  };
}
