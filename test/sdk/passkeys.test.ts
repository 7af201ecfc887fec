import { afterEach, describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../sdk/index.ts';
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { freshHandle, newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

const pageOrigin = 'http://localhost:5173';
const pages: TestPage[] = [];
const target = useSharedService();
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
});

interface Signal {
  userId: string;
  allAcceptedCredentialIds: string[];
  name: string;
}

/** The authenticator's requests and responses. */
interface Device {
  readonly asked: CredentialRequestOptions[];
  readonly accepted: Signal[];
  readonly named: Signal[];
}

type Ceremony = (options: { publicKey: never; signal: AbortSignal; mediation?: string }) => Promise<unknown>;

/** A page in a browser with this authenticator; `answer` replaces its response. */
function open(
  browser: Browser,
  authenticator: Authenticator,
  answer: { get?: Ceremony; create?: Ceremony } = {},
) {
  stubBrowser(browser.jar, `${pageOrigin}/`);
  const device: Device = { asked: [], accepted: [], named: [] };
  const withJson = (made: object) => ({ ...made, toJSON: () => made });
  const same = (options: unknown) => options;
  vi.stubGlobal('PublicKeyCredential', {
    parseCreationOptionsFromJSON: same,
    parseRequestOptionsFromJSON: same,
    isConditionalMediationAvailable: async () => true,
    signalAllAcceptedCredentials: async (signal: Signal) => void device.accepted.push(signal),
    signalCurrentUserDetails: async (signal: Signal) => void device.named.push(signal),
  });
  const get: Ceremony = answer.get ?? (async ({ publicKey }) => withJson(await authenticator.get(publicKey)));
  const create: Ceremony =
    answer.create ?? (async ({ publicKey }) => withJson(await authenticator.create(publicKey)));
  const credentials = {
    get: (options: never) => {
      device.asked.push(options);
      return get(options);
    },
    create,
  };
  vi.stubGlobal('navigator', { credentials, locks: undefined });
  const page = openPage(target, browser);
  pages.push(page);
  return { ...page, device };
}

const named = (name: string) => Object.assign(new Error(name), { name });

describe('passkeys', () => {
  it('sign up a newcomer, who claims a PID, and then sign in, with the snapshot updated before the promise resolves', async () => {
    const authenticator = createAuthenticator(pageOrigin);
    const { client, device } = open(openBrowser(target), authenticator);
    expect(client.passkeys.isSupported()).toBe(true);
    expect(await client.passkeys.isAutofillAvailable()).toBe(true);
    expect(unwrap(await client.passkeys.signUp())).toMatchObject({ type: 'claim_required' });
    expect(client.getSnapshot().status).toBe('claim');
    const handle = freshHandle();
    unwrap(await client.auth.claim.submit({ handle }));
    await vi.waitFor(() => expect(device.named.map(({ name }) => name)).toEqual([`${handle}@pid`]), 20_000);

    const again = open(openBrowser(target), authenticator);
    const outcome = unwrap(await again.client.passkeys.login());
    expect(outcome).toMatchObject({ type: 'signed_in', session: { handle } });
    expect(again.client.getSnapshot()).toMatchObject({ status: 'authenticated', session: { handle } });
  });

  it('are registered, renamed and removed, and the remaining ones are signalled to the authenticator', async () => {
    const { browser } = await newMember(target);
    const authenticator = createAuthenticator(pageOrigin);
    const { client, device } = open(browser, authenticator);
    const changed = vi.fn();
    client.on('credentials_changed', changed);
    const made = unwrap(await client.passkeys.register({ name: 'Laptop' }));
    if ('type' in made) throw new Error(made.type);
    expect(made).toMatchObject({ provider: 'passkey', name: 'Laptop', backedUp: false });
    expect(unwrap(await client.passkeys.rename(made.id, 'Desk'))).toMatchObject({ name: 'Desk' });
    const [passkey] = authenticator.passkeys;
    expect(await client.passkeys.remove(made.id)).toEqual({ ok: true });
    expect(device.accepted).toMatchObject([{ userId: passkey?.userId, allAcceptedCredentialIds: [] }]);
    expect(await client.passkeys.rename(made.id, 'Gone')).toMatchObject({ statusCode: 404 });
    expect(changed).toHaveBeenCalledTimes(3);
  });

  it('allow one ceremony at a time, so a button cancels the pending autofill before starting', async () => {
    const authenticator = createAuthenticator(pageOrigin);
    const member = open((await newMember(target)).browser, authenticator);
    unwrap(await member.client.passkeys.register());
    const order: string[] = [];
    const { client, device } = open(openBrowser(target), authenticator, {
      get: ({ publicKey, signal, mediation }) => {
        order.push(mediation ?? 'button');
        if (mediation === undefined)
          return authenticator.get(publicKey).then((made) => ({ toJSON: () => made }));
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            order.push('stopped');
            reject(named('AbortError'));
          });
        });
      },
    });
    const waiting = client.passkeys.login({ autofill: true });
    await vi.waitFor(() => expect(device.asked).toHaveLength(1), 20_000);
    expect(unwrap(await client.passkeys.login())).toMatchObject({ type: 'signed_in' });
    expect(await waiting).toEqual({ type: 'cancelled' });
    expect(order).toEqual(['conditional', 'stopped', 'button']);
  });

  it('allow one ceremony at a time even before the ceremonies are loaded', async () => {
    const authenticator = createAuthenticator(pageOrigin);
    const member = open((await newMember(target)).browser, authenticator);
    unwrap(await member.client.passkeys.register());
    const { client, device } = open(openBrowser(target), authenticator);
    const calls = [{ autofill: true }, {}, {}].map((options) => client.passkeys.login(options));
    const outcomes = (await Promise.all(calls)).map((outcome) => 'type' in outcome && outcome.type);
    expect(outcomes).toEqual(['cancelled', 'cancelled', 'signed_in']);
    expect(device.asked).toHaveLength(1);
  });

  it('can be cancelled, unsupported or already present without an error, unlike a rejection by the service', async () => {
    const authenticator = createAuthenticator(pageOrigin);
    await authenticator.create({
      rp: { id: 'localhost' },
      user: { id: 'bm9ib2R5' },
      challenge: 'AAAA',
    } as never);
    const failing =
      (name: string): Ceremony =>
      () =>
        Promise.reject(named(name));
    for (const [name, type] of [
      ['NotAllowedError', 'cancelled'],
      ['SecurityError', 'unsupported'],
    ] as const) {
      const { client } = open(openBrowser(target), authenticator, { get: failing(name) });
      expect(await client.passkeys.login()).toEqual({ type });
    }
    const { browser } = await newMember(target);
    const { client } = open(browser, authenticator, { create: failing('InvalidStateError') });
    expect(await client.passkeys.register()).toEqual({ type: 'exists' });
    const aborted = await client.passkeys.login({ signal: AbortSignal.abort() });
    expect(aborted).toEqual({ type: 'cancelled' });

    const unknown = open(openBrowser(target), authenticator);
    expect(await unknown.client.passkeys.login()).toEqual({
      statusCode: 401,
      code: 'passkey_unknown',
      message: 'The passkey was not accepted',
    });
    vi.stubGlobal('PublicKeyCredential', undefined);
    expect(unknown.client.passkeys.isSupported()).toBe(false);
    expect(await unknown.client.passkeys.login()).toEqual({ type: 'unsupported' });
  });

  it('work in browsers without the JSON methods', async () => {
    const authenticator = createAuthenticator(pageOrigin);
    const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
    const toBuffer = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url')).buffer;
    const { client } = open(openBrowser(target), authenticator, {
      create: async ({ publicKey }) => {
        const options = publicKey as { challenge: Uint8Array; user: { id: Uint8Array } };
        const asked = {
          ...options,
          challenge: toText(options.challenge),
          user: { id: toText(options.user.id) },
        };
        const { id, type, response } = await authenticator.create(asked as never);
        const { clientDataJSON, attestationObject } = response;
        const parts = {
          clientDataJSON: toBuffer(clientDataJSON),
          attestationObject: toBuffer(attestationObject),
        };
        return { id, type, response: parts };
      },
    });
    vi.stubGlobal('PublicKeyCredential', {});
    expect(unwrap(await client.passkeys.signUp())).toMatchObject({ type: 'claim_required' });
  });
});
