import type { Core } from './context.ts';
import type { CredentialsApi } from './credentials-types.ts';
import type { Result } from './errors.ts';
import type { PasskeyStop, PasskeysApi } from './passkey-types.ts';
import type { Credential } from './types.ts';

interface Signals {
  rpId: string;
  users: { id: string; name: string; displayName: string; credentialIds: string[] }[];
}

/** The members of `PublicKeyCredential` that some browsers lack. */
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

/** Encodes bytes as base64url. */
type ToText = (bytes: Uint8Array) => string;

interface Descriptor {
  id: string;
}

/** The options of a ceremony as WebAuthn JSON. Only a registration has a user and excluded credentials. */
interface OptionsJson {
  challenge: string;
  user?: { id: string };
  excludeCredentials?: Descriptor[];
}

/** The browser's errors for a ceremony that yields no passkey (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
const stops: Record<string, PasskeyStop['type']> = {
  AbortError: 'cancelled',
  NotAllowedError: 'cancelled',
  InvalidStateError: 'exists',
  SecurityError: 'unsupported',
};

const ownPath = '/v1/credentials/passkey';

/** Undefined in a browser without passkeys. */
const statics = () => (globalThis as { PublicKeyCredential?: NewStatics }).PublicKeyCredential;

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

const withBytes = (descriptor: Descriptor) => ({ ...descriptor, id: toBytes(descriptor.id) });

/** Does what `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` do, for browsers without them. */
const readOptions = (json: OptionsJson) => ({
  ...json,
  challenge: toBytes(json.challenge),
  user: json.user && withBytes(json.user),
  excludeCredentials: json.excludeCredentials?.map(withBytes),
});

/** Creates a passkey if the options contain a user; otherwise uses one. */
async function ask(
  api: NewStatics,
  json: OptionsJson,
  signal: AbortSignal,
  autofill: boolean | undefined,
): Promise<PublicKeyCredential> {
  const { user } = json;
  const parse = `parse${user ? 'Creation' : 'Request'}OptionsFromJSON` as const;
  const publicKey = api[parse]?.(json) ?? readOptions(json);
  const mediation = autofill ? 'conditional' : undefined;
  const options = { publicKey, signal, mediation } as never;
  return (await navigator.credentials[user ? 'create' : 'get'](options)) as never;
}

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

/** The part of `client.passkeys` that is loaded on first use. */
interface CeremoniesApi extends Pick<PasskeysApi, 'login' | 'signUp' | 'register' | 'remove'> {
  hasAutofill(): Promise<boolean>;
}

/**
 * This file imports only types, so it loads in one request.
 * @param unlink `client.credentials.unlink`
 */
export function createCeremonies(
  core: Core,
  toText: ToText,
  unlink: CredentialsApi['unlink'],
): CeremoniesApi {
  const { send, call } = core;
  let aborter: AbortController | undefined;
  let last: Promise<unknown> | undefined;

  /**
   * Runs one ceremony. It first aborts the previous one and waits for its end, so of several calls made while this file
   * was loading, only the last succeeds.
   */
  async function run<T>(
    sender: Core['send'],
    at: string,
    { autofill, name: passkey, signal: outer }: Options = {},
  ): Promise<Result<T | PasskeyStop>> {
    const api = statics();
    if (!api) return { type: 'unsupported' };
    aborter?.abort();
    aborter = new AbortController();
    const signal = outer ? AbortSignal.any([outer, aborter.signal]) : aborter.signal;
    const before = last;
    const work = async (): Promise<Result<T | PasskeyStop>> => {
      await before;
      const json = await sender<OptionsJson>(`${at}/options`, { method: 'POST', body: {}, signal });
      signal.throwIfAborted();
      if ('statusCode' in json) return json;
      const credential = await ask(api, json, signal, autofill);
      return sender<T>(`${at}/verify`, {
        method: 'POST',
        body: { ...toJson(credential, toText), name: passkey || undefined },
      });
    };
    const running = work().catch(({ name, message }: Error): Result<PasskeyStop> => {
      const type = stops[name];
      return type ? { type } : { statusCode: 0, message };
    });
    last = running;
    return running;
  }

  return {
    hasAutofill: async () => !!(await statics()?.isConditionalMediationAvailable?.()),
    async login(options) {
      const done = await run<{ ok: true }>(send, '/v1/auth/passkey', options);
      return 'ok' in done ? core.redeem() : done;
    },
    async signUp(options) {
      const done = await run<{ claim: boolean }>(send, '/v1/auth/passkey/register', options);
      if (!('claim' in done)) return done;
      // The passkey was created before the PID existed, so the authenticator learns the name after sign-in.
      const end = core.store.on('signed_in', () => {
        end();
        void signal(call);
      });
      if (!done.claim) return core.redeem();
      const preview = await core.claim.preview();
      return 'statusCode' in preview ? preview : { type: 'claim_required', claim: preview };
    },
    async register(options) {
      const done = await run<Credential>(call, ownPath, options);
      if ('id' in done) core.store.emit('credentials_changed', undefined);
      return done;
    },
    async remove(id) {
      const before = await call<Signals>(ownPath);
      const done = await unlink(id);
      if ('ok' in done) await signal(call, 'users' in before ? before.users : []);
      return done;
    },
  };
}

/** Sends the person's valid passkeys and current names to their authenticators. */
async function signal(call: Core['call'], before: Signals['users'] = []): Promise<void> {
  const now = await call<Signals>(ownPath);
  if ('statusCode' in now) return;
  const { rpId, users } = now;
  const all = new Map([...before, ...users].map((user) => [user.id, user]));
  try {
    for (const [userId, user] of all) {
      const allAcceptedCredentialIds = users.includes(user) ? user.credentialIds : [];
      const details = { ...user, rpId, userId, allAcceptedCredentialIds };
      await statics()?.signalAllAcceptedCredentials?.(details);
      await statics()?.signalCurrentUserDetails?.(details);
    }
  } catch {
    // This is only a hint to the authenticator; nothing depends on it.
  }
}
