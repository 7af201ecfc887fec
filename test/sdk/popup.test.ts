import { createHash } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, isPopupError, type PidClient } from '../../sdk/index.ts';

const service = 'https://id.example.com';

/** An opened window, as seen by its opener. */
class FakeWindow {
  closed = false;
  readonly posted: unknown[] = [];
  readonly location = { replace: vi.fn() };
  readonly focus = vi.fn();
  postMessage(data: unknown, target: string): void {
    this.posted.push([data, target]);
  }
  close(): void {
    this.closed = true;
  }
}

/** The service's response to a poll. */
interface Says {
  status?: string;
  reason?: string | null;
  openerLost?: boolean;
  closed?: boolean;
  seversOpener?: boolean;
}

let opened: { window: FakeWindow; url: string; name: string; features: string }[];
let isBlocked: boolean;
let says: Says | { error: number };
let registration: number;
/** The time that the service takes to respond to a registration or an inquiry. */
let gate: Promise<void>;
/** The same for polls. */
let pollGate: Promise<void>;
const approvalEnd = '2026-01-01T00:02:00.000Z';
let session: number;
let authenticatedAt: string;
let pid: string;
let sessionId: string;
let sent: { path: string; body: Record<string, unknown> }[];
let phases: string[];
/** True if a transfer needs an approval, or the status with which its inquiry is rejected. */
let inquiry: boolean | number;
/** The service's responses to confirmations, in turn; 200 after that. */
let confirmations: number[];
const clients: PidClient[] = [];

// Loads the popup code in advance, because fake timers do not wait for the load.
beforeAll(() =>
  Promise.all([
    import('../../sdk/popup-flow.ts'),
    import('../../sdk/popup-steps.ts'),
    import('../../sdk/money.ts'),
  ]),
);
beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  isBlocked = false;
  says = { status: 'opened' };
  registration = 200;
  gate = Promise.resolve();
  pollGate = Promise.resolve();
  // The real hash runs in a thread, for which fake timers do not wait.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(
    async (_, data) =>
      new Uint8Array(
        createHash('sha256')
          .update(data as Uint8Array)
          .digest(),
      ).buffer,
  );
  session = 200;
  authenticatedAt = '2026-01-01T00:00:00.000Z';
  pid = 'ayu@pid';
  sessionId = 'ses_1';
  sent = [];
  phases = [];
  inquiry = true;
  confirmations = [];
  const page = Object.assign(new EventTarget(), {
    open(url: string, name: string, features: string) {
      if (isBlocked) return null;
      const window = new FakeWindow();
      opened.push({ window, url, name, features });
      return window;
    },
  });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', hidden: false }));
  vi.stubGlobal('location', new URL('https://app.example.com/'));
  vi.stubGlobal('navigator', { userAgent: 'Test', userActivation: { isActive: true } });
  const screen = { innerWidth: 1200, outerWidth: 1200, outerHeight: 800, screenX: 0, screenY: 0 };
  for (const [name, value] of Object.entries(screen)) vi.stubGlobal(name, value);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function answer(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const path = new URL(String(input)).pathname;
  const body = init.body ? JSON.parse(String(init.body)) : {};
  sent.push({ path, body });
  const refuse = (statusCode: number) =>
    Response.json({ statusCode, message: `refused ${statusCode}` }, { status: statusCode });
  if (path === '/v1/popup/requests') await gate;
  if (path === '/v1/popup/requests')
    return registration === 0
      ? Promise.reject(new TypeError('offline'))
      : registration === 200
        ? Response.json({ id: body.id })
        : refuse(registration);
  if (path.endsWith('/poll')) {
    await pollGate;
    if ('error' in says)
      return says.error === 0 ? Promise.reject(new TypeError('offline')) : refuse(says.error);
    const state = { status: 'opened', reason: null, openerLost: false, closed: false, seversOpener: false };
    return Response.json({ ...state, expiresAt: approvalEnd, ...says });
  }
  if (path.endsWith('/inquiry')) await gate;
  if (path.endsWith('/inquiry'))
    return typeof inquiry === 'number'
      ? refuse(inquiry)
      : Response.json({ id: 'inq_1', requiresApproval: inquiry });
  if (path.endsWith('/confirm')) {
    const status = confirmations.shift() ?? 200;
    if (status === 0) throw new TypeError('offline');
    return status === 200 ? Response.json({ id: 'trf_1' }) : refuse(status);
  }
  if (path.endsWith('/cancel')) return Response.json({ status: 'cancelled' });
  if (session !== 200) return refuse(session);
  return Response.json({ pid, session: { id: sessionId, authenticatedAt } });
}

function makeClient(options: Partial<ClientOptions> = {}): PidClient {
  const refresh = { crossTab: false };
  const client = createClient({
    baseUrl: service,
    popupBaseUrl: service,
    fetch: answer,
    logger: () => {},
    refresh,
    ...options,
  });
  client.on('popup', ({ phase }) => void phases.push(phase));
  clients.push(client);
  return client;
}

/** Starts a login and records its outcome. */
function login(client: PidClient, ...args: Parameters<PidClient['auth']['loginWithPopup']>) {
  const state: { outcome?: string } = {};
  const promise = client.auth.loginWithPopup(...args);
  promise.then(
    ({ type }) => {
      state.outcome = type;
    },
    (error) => {
      state.outcome = isPopupError(error) ? `${error.code} ${error.reason}` : String(error);
    },
  );
  return { state, promise };
}

const popup = () => opened[0]?.window ?? new FakeWindow();
const channel = () => new URL(opened[0]?.url ?? service).searchParams.get('c') ?? '';

/** Delivers a message, by default from the popup itself. */
function say(t: unknown, more: { origin?: string; source?: unknown; data?: unknown } = {}): void {
  const { origin = service, source = popup(), data = { pid: 1, c: channel(), t } } = more;
  window.dispatchEvent(Object.assign(new Event('message'), { origin, source, data }));
}

const polls = () => sent.filter(({ path }) => path.endsWith('/poll')).length;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('the popup', () => {
  it('is opened before a call does anything else, with a unique name and channel', async () => {
    const client = makeClient({ locale: 'id', popup: { theme: 'dark' } });
    login(client);
    expect(sent).toEqual([]);
    expect(opened[0]?.url).toMatch(
      /^https:\/\/id\.example\.com\/popup\/login\?c=[\w-]{22}&v=1&ui_locales=id&theme=dark$/,
    );
    expect(opened[0]?.name).toBe(`pid_${channel()}`);
    expect(opened[0]?.features).toMatch(/^popup,width=480,height=720,/);
    await pass(0);
    expect(sent[0]?.body).toEqual({
      id: channel(),
      kind: 'login',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('is opened only once for two calls, and a call with another purpose is rejected', async () => {
    const client = makeClient();
    const first = client.auth.loginWithPopup();
    expect(client.auth.loginWithPopup()).toBe(first);
    expect(opened.length).toBe(1);
    expect(popup().focus).toHaveBeenCalledOnce();
    await expect(client.credentials.linkWithPopup('google')).rejects.toMatchObject({
      name: 'PopupBlockedError',
      reason: 'busy',
    });
    first.catch(() => {});
  });

  it('rejects if it cannot be opened', async () => {
    isBlocked = true;
    expect((await settle(login(makeClient()))).outcome).toBe('popup_blocked browser');
    const withoutAddress = createClient({ baseUrl: service, fetch: answer });
    clients.push(withoutAddress);
    expect((await settle(login(withoutAddress))).outcome).toBe('popup_unavailable no_base_url');
    expect(withoutAddress.popup.isSupported()).toBe(false);
    const gone = AbortSignal.abort();
    isBlocked = false;
    expect((await settle(login(makeClient(), { signal: gone }))).outcome).toBe('popup_closed aborted');
    expect(opened.length).toBe(0);
  });

  it('never throws, and an invalid address is rejected when the client is created', () => {
    expect(() => makeClient({ popupBaseUrl: 'id.example.com' })).toThrow(TypeError);
  });

  it('causes a warning when opened without a click', () => {
    vi.stubGlobal('navigator', { userAgent: 'Test', userActivation: { isActive: false } });
    const logger = vi.fn();
    login(makeClient({ logger }));
    expect(logger).toHaveBeenCalledWith({
      level: 'warn',
      code: 'no_user_activation',
      message: expect.stringContaining('in a click'),
    });
  });

  it('lets the app show a button when the browser blocks it, and times out without a click', async () => {
    isBlocked = true;
    let retry = () => {};
    const onBlocked = vi.fn((again: () => void) => {
      retry = again;
    });
    const { state } = login(makeClient({ popup: { onBlocked } }));
    await pass(0);
    retry();
    expect(onBlocked).toHaveBeenCalledTimes(2);
    isBlocked = false;
    retry();
    expect(opened.length).toBe(1);
    await pass(300_000);
    expect(state.outcome).toBe('popup_closed timeout');
    retry();
    expect(opened.length).toBe(1);
  });
});

describe('a blocked window', () => {
  it('also opens on the next click on the same button', async () => {
    isBlocked = true;
    const onBlocked = vi.fn();
    const client = makeClient({ popup: { onBlocked } });
    const { promise } = login(client);
    await pass(0);
    isBlocked = false;
    const second = login(client);
    expect([opened.length, second.promise === promise]).toEqual([1, true]);
    login(client);
    expect(opened.length).toBe(1);
    expect(popup().focus).toHaveBeenCalledTimes(1);
    expect(onBlocked).toHaveBeenCalledTimes(1);
  });
});

async function settle({ state }: { state: { outcome?: string } }): Promise<{ outcome?: string }> {
  await pass(0);
  return state;
}

describe('a registration', () => {
  it.each([
    [400, 'popup_rejected malformed'],
    [401, 'popup_rejected denied'],
    [403, 'popup_rejected origin'],
    [409, 'popup_rejected tampered'],
  ])('closes the popup if it is rejected with %i: %s', async (status, outcome) => {
    registration = status;
    const { state, promise } = login(makeClient());
    await pass(10);
    expect(state.outcome).toBe(outcome);
    expect(popup().closed).toBe(true);
    await expect(promise).rejects.toThrow(/rejected/);
  });

  it('is sent again with the same channel after a temporary failure', async () => {
    registration = 503;
    const { state } = login(makeClient());
    await pass(500);
    registration = 200;
    await pass(1_500);
    expect(state.outcome).toBeUndefined();
    expect(sent.map(({ body }) => body['id'])).toEqual([channel(), channel()]);
  });

  it.each([
    ['while the service is reachable means that the page is not allowed', true, 'popup_rejected origin'],
    ['while the service is unreachable is also a rejection', false, 'popup_rejected malformed'],
  ])('without a response %s', async (_, isThere, outcome) => {
    registration = 0;
    const probe = vi.fn(async () => (isThere ? new Response() : Promise.reject(new TypeError('offline'))));
    vi.stubGlobal('fetch', probe);
    const { state } = login(makeClient());
    await pass(2_900);
    expect([state.outcome, probe.mock.calls.length]).toEqual([undefined, 0]);
    await pass(200);
    expect(state.outcome).toBe(outcome);
    expect(probe).toHaveBeenCalledExactlyOnceWith(service, { mode: 'no-cors' });
    expect(popup().closed).toBe(true);
  });

  it('is cancelled if it arrives after the person has left', async () => {
    let arrive = () => {};
    gate = new Promise((resolve) => {
      arrive = resolve;
    });
    const { state } = login(makeClient());
    popup().close();
    await pass(3_000);
    expect(state.outcome).toBe('popup_closed user');
    arrive();
    await pass(10);
    expect(sent.at(-1)?.path).toMatch(/cancel$/);
  });
});

describe('a closed popup window', () => {
  it.each<[string, Says, string | null, number]>([
    ['after an approval whose message was lost', { status: 'approved' }, null, 500],
    ['on our page', {}, 'ready', 500],
    ['before its page was shown', { status: 'created' }, null, 3_500],
    ['on our page, according to its last report', { closed: true }, null, 3_500],
    ['on the page of a provider that keeps openers', {}, 'away', 3_500],
    ['for an unknown reason, without any message', {}, null, 6_000],
  ])('settles the call if it was closed %s', async (_, state, message, withinMs) => {
    const { state: seen } = login(makeClient());
    await pass(10);
    if (message) {
      say('ready');
      say(message);
    }
    says = state;
    popup().closed = true;
    await pass(withinMs);
    expect(seen.outcome).toBe(state.status === 'approved' ? 'signed_in' : 'popup_closed user');
  });

  it.each<[string, Says, string | null]>([
    ['and reports that it lost its opener', { openerLost: true }, null],
    ['and left for a provider that is known to sever openers', { seversOpener: true }, 'away'],
  ])('is detached rather than closed if it is severed %s', async (_, state, message) => {
    const { state: seen } = login(makeClient());
    await pass(10);
    if (message) say(message);
    says = state;
    popup().closed = true;
    await pass(60_000);
    expect([seen.outcome, phases.at(-1)]).toEqual([undefined, 'detached']);
    expect(polls()).toBeLessThan(45);
    says = { status: 'approved' };
    await pass(2_000);
    expect(seen.outcome).toBe('signed_in');
  });

  it('does not end the flow while the service is unreachable', async () => {
    const { state } = login(makeClient());
    await pass(10);
    popup().closed = true;
    for (const error of [0, 429, 503]) {
      says = { error };
      await pass(10_000);
      expect(state.outcome).toBeUndefined();
    }
    says = { status: 'approved' };
    await pass(2_000);
    expect(state.outcome).toBe('signed_in');
  });
});

describe('the outcome of the popup', () => {
  it('is requested when the popup reports a decision, and is known before the promise resolves', async () => {
    const client = makeClient();
    const known = client.auth.loginWithPopup().then(() => client.getSnapshot().status);
    await pass(10);
    say('ready');
    expect(polls()).toBe(0);
    says = { status: 'approved' };
    say('decided');
    await pass(10);
    expect(await known).toBe('authenticated');
    expect([polls(), phases]).toEqual([1, ['open', 'ready', 'settled']]);
    expect([popup().closed, client.popup.active]).toEqual([false, null]);
    await pass(1_500);
    expect([popup().closed, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('is announced as a sign-in, even in an app that has never read the session', async () => {
    const client = makeClient();
    const signedIn = vi.fn();
    client.on('signed_in', signedIn);
    const { state } = login(client);
    await pass(10);
    says = { status: 'approved' };
    say('decided');
    await pass(10);
    expect(state.outcome).toBe('signed_in');
    expect(signedIn).toHaveBeenCalledExactlyOnceWith(client.getSnapshot().session);
  });

  it.each([
    ['denied', null, 'denied'],
    ['invalid', 'terms_changed', 'terms_changed'],
    ['invalid', null, 'tampered'],
    ['expired', null, 'expired'],
    ['lapsed', null, 'expired'],
  ])('is a rejection for %s (%s), with the reason %s', async (status, reason, outcome) => {
    const { state, promise } = login(makeClient());
    await pass(10);
    says = { status, reason };
    say('decided');
    await pass(10);
    expect(state.outcome).toBe(`popup_rejected ${outcome}`);
    await expect(promise).rejects.toThrow(/^Request rejected/);
  });

  it('is still reached if the cookies arrive late or the session cannot be read at first', async () => {
    const { state } = login(makeClient());
    await pass(10);
    says = { status: 'approved' };
    for (const status of [401, 503, 401]) {
      session = status;
      say('decided');
      await pass(100);
      expect(state.outcome).toBeUndefined();
    }
    session = 200;
    await pass(2_000);
    expect(state.outcome).toBe('signed_in');
  });

  it('is a rejection if the cookies never arrive', async () => {
    session = 401;
    says = { status: 'approved' };
    const { state } = login(makeClient());
    await pass(10);
    say('decided');
    await pass(10_000);
    expect(state.outcome).toBe('popup_rejected denied');
  });
});

describe('reauthenticate', () => {
  /** A page requires a new sign-in, and the service reports that it happened. */
  async function again(readFirst = true): Promise<{ outcome: () => unknown }> {
    const client = makeClient();
    if (readFirst) await client.auth.getSession();
    let outcome: unknown;
    client.auth.reauthenticate().then(
      (value) => {
        outcome = value;
      },
      ({ code, reason }) => {
        outcome = `${code} ${reason}`;
      },
    );
    await pass(10);
    says = { status: 'approved' };
    say('decided');
    await pass(10);
    return { outcome: () => outcome };
  }

  it.each([
    ['that knows its session', true],
    ['that has read nothing yet', false],
  ])(
    'requests a new sign-in and resolves only when authenticatedAt is new, on a page %s',
    async (_, knows) => {
      const { outcome } = await again(knows);
      expect(sent.find(({ path }) => path === '/v1/popup/requests')?.body).toMatchObject({ prompt: 'login' });
      expect(outcome()).toBeUndefined();
      authenticatedAt = '2026-01-01T00:01:00.000Z';
      await pass(2_000);
      expect(outcome()).toMatchObject({ session: { authenticatedAt } });
    },
  );

  it('compares with the session at the time of the click, not with an older cached one', async () => {
    const client = makeClient();
    await client.auth.getSession();
    authenticatedAt = '2026-01-01T00:00:30.000Z';
    const resolved = vi.fn();
    client.auth.reauthenticate().then(resolved, () => {});
    await pass(10);
    says = { status: 'approved' };
    say('decided');
    await pass(2_000);
    expect(resolved).not.toHaveBeenCalled();
  });

  it('resolves with a new session from the same second, because authenticatedAt has whole seconds', async () => {
    const { outcome } = await again();
    sessionId = 'ses_2';
    await pass(2_000);
    expect(outcome()).toMatchObject({ session: { id: 'ses_2' } });
  });

  it.each([
    ['while authenticatedAt stays the same', 'ayu@pid', '2026-01-01T00:00:00.000Z'],
    ['if the session now belongs to another person', 'budi@pid', '2026-01-01T00:01:00.000Z'],
  ])('rejects %s', async (_, owner, time) => {
    const { outcome } = await again();
    pid = owner;
    authenticatedAt = time;
    await pass(10_000);
    expect(outcome()).toBe('popup_rejected denied');
  });

  it('rejects if nobody is signed in', async () => {
    session = 401;
    const { outcome } = await again(false);
    await pass(10_000);
    expect(outcome()).toBe('popup_rejected denied');
  });

  it('rejects with the reason origin on a page of an app that is not first-party', async () => {
    session = 403;
    const { outcome } = await again(false);
    await pass(10_000);
    expect(outcome()).toBe('popup_rejected origin');
  });

  it('uses a redirect if the app prefers one', async () => {
    const assign = vi.fn();
    vi.stubGlobal('location', Object.assign(new URL('https://app.example.com/'), { assign }));
    void makeClient().auth.reauthenticate({ popup: false, provider: 'google', returnTo: '/settings' });
    await vi.waitFor(() => expect(sent.at(-1)?.path).toBe('/v1/auth/login'), 20_000);
    expect(sent.at(-1)?.body).toEqual({
      provider: 'google',
      returnTo: 'https://app.example.com/settings',
      prompt: 'login',
    });
    expect(opened).toEqual([]);
  });
});

describe('a message', () => {
  it('is accepted only from the popup itself, with its channel and format', async () => {
    login(makeClient());
    await pass(10);
    const c = channel();
    const forged: Parameters<typeof say>[1][] = [
      { origin: 'https://evil.example' },
      { origin: 'https://id.example.com.evil.example' },
      { source: new FakeWindow() },
      { origin: 'https://app.example.com', source: null },
      { data: { pid: 1, c: 'another', t: 'decided' } },
      { data: { pid: 2, c, t: 'decided' } },
      { data: { pid: 1, c, t: 'unknown' } },
      { data: { pid: 1, c, t: { toString: () => 'decided' } } },
      { data: JSON.parse(`{"__proto__":{"pid":1,"c":"${c}","t":"decided"}}`) },
      ...[null, undefined, 'decided', 1, [], [1, c, 'decided']].map((data) => ({ data, source: popup() })),
    ];
    for (const one of forged)
      say('decided', one && 'data' in one && one.data === undefined ? { source: {} } : one);
    await pass(1_000);
    expect([polls(), phases]).toEqual([0, ['open']]);
    // A page that has navigated away leaves no source in Chromium.
    say('away', { source: null });
    expect(phases).toEqual(['open', 'away']);
    say('decided');
    await pass(10);
    expect(polls()).toBe(1);
  });

  it('is ignored after the popup has settled', async () => {
    const { state } = login(makeClient());
    await pass(10);
    says = { status: 'denied' };
    say('decided');
    await pass(10);
    const before = sent.length;
    says = { status: 'approved' };
    say('decided');
    await pass(10_000);
    expect([state.outcome, sent.length]).toEqual(['popup_rejected denied', before]);
  });
});

describe('the end of a popup', () => {
  it('comes after five minutes by the clock, even if timers were suspended, and a later approval changes nothing', async () => {
    const { state } = login(makeClient());
    await pass(10);
    vi.setSystemTime(Date.now() + 300_000);
    says = { status: 'approved' };
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(state.outcome).toBe('popup_closed timeout');
    expect(popup().posted).toEqual([[{ pid: 1, c: channel(), t: 'cancel' }, service]]);
    expect(sent.at(-1)?.path).toBe(`/v1/popup/requests/${channel()}/cancel`);
    expect(popup().closed).toBe(true);
  });

  it('comes when the caller aborts, directly or through the active popup', async () => {
    const aborter = new AbortController();
    const client = makeClient();
    const first = login(client, { signal: aborter.signal });
    await pass(10);
    aborter.abort();
    await pass(0);
    expect(first.state.outcome).toBe('popup_closed aborted');
    const second = login(client);
    client.popup.active?.cancel();
    await pass(10);
    expect(second.state.outcome).toBe('popup_closed aborted');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaks no listeners or timers, thirty times in a row', async () => {
    const client = makeClient();
    const counts = { added: 0, removed: 0 };
    const add = window.addEventListener.bind(window);
    vi.spyOn(window, 'addEventListener').mockImplementation((...args: Parameters<typeof add>) => {
      counts.added += 1;
      const options = args[2] as { signal?: AbortSignal } | undefined;
      options?.signal?.addEventListener('abort', () => {
        counts.removed += 1;
      });
      add(...args);
    });
    for (let round = 0; round < 30; round += 1) {
      opened = [];
      says = { status: 'denied' };
      const { state } = login(client);
      await pass(10);
      say('decided');
      await pass(10);
      expect(state.outcome).toBe('popup_rejected denied');
    }
    expect(counts.added).toBe(90);
    expect(counts.removed).toBe(90);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a prepared window', () => {
  it('opens empty during the click and is navigated to the popup by the call', async () => {
    const client = makeClient();
    const prepared = client.popup.prepare();
    expect(opened[0]?.url).toBe('about:blank');
    await pass(5_000);
    login(client, { window: prepared });
    expect(opened.length).toBe(1);
    const address: string = popup().location.replace.mock.calls[0]?.[0];
    expect(address).toMatch(/^https:\/\/id\.example\.com\/popup\/login\?c=[\w-]{22}&v=1$/);
    expect(opened[0]?.name).toMatch(/^pid_[\w-]{22}$/);
  });

  it('is closed if it is not needed or the call is rejected', async () => {
    const client = makeClient();
    client.popup.prepare().close();
    expect(popup().closed).toBe(true);
    login(client);
    const other = client.popup.prepare();
    await client.credentials.linkWithPopup('google', { window: other }).catch(() => {});
    expect(opened.at(-1)?.window.closed).toBe(true);
  });
});

/** Records a promise's outcome. */
function settled(promise: Promise<unknown>): { value?: unknown; error?: Error } {
  const state: { value?: unknown; error?: Error } = {};
  promise.then(
    (value) => {
      state.value = value;
    },
    (error) => {
      state.error = error;
    },
  );
  return state;
}

const sentTo = (end: string) => sent.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
const confirmed = () => sentTo('/confirm');
const hash = (text: unknown) => createHash('sha256').update(String(text)).digest('base64url');
const lunch = { to: 'budi@pid', amount: 15_000, memo: 'lunch' };
const decide = async (status: string) => {
  says = { status };
  say('decided');
  await pass(10);
};

describe('an approval', () => {
  it('opens during the click, moves no money, and is redeemed with a secret that the approval does not contain', async () => {
    const client = makeClient({ appId: 'app_1', locale: 'id' });
    const outcome = settled(client.popup.approve({ inquiryId: 'inq_1' }));
    expect(opened[0]?.url).toMatch(
      /^https:\/\/id\.example\.com\/popup\/approve\?c=[\w-]{22}&v=1&ui_locales=id$/,
    );
    expect(client.popup.active?.kind).toBe('approval');
    await pass(10);
    const [registered = {}] = sentTo('/requests');
    expect(registered).toEqual({
      id: channel(),
      kind: 'approval',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      inquiryId: 'inq_1',
    });
    await decide('approved');
    const approval = { approvalId: channel(), expiresAt: approvalEnd };
    expect(outcome.value).toEqual(approval);
    expect([confirmed(), popup().closed]).toEqual([[], true]);
    const grant = outcome.value as typeof approval;
    expect(await client.fiat.confirmTransfer({ inquiryId: 'inq_1', approval: grant })).toEqual({
      id: 'trf_1',
    });
    await client.fiat.confirmTransfer({ inquiryId: 'inq_1', approval: { ...grant } });
    const [own, copied] = confirmed();
    expect(own).toEqual({ inquiryId: 'inq_1', approvalId: channel(), verifier: expect.any(String) });
    expect(hash(own?.['verifier'])).toBe(registered['challenge']);
    expect(copied).toEqual({ inquiryId: 'inq_1', approvalId: channel() });
  });

  it('polls the service immediately for a request made by the back end, which may already be decided', async () => {
    says = { status: 'approved' };
    const client = makeClient({ appId: 'app_1' });
    const outcome = settled(client.popup.approve({ requestId: 'from-the-back-end', verifier: 'known' }));
    expect(channel()).toBe('from-the-back-end');
    await pass(10);
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/popup/requests/from-the-back-end/poll', { verifier: 'known' }],
    ]);
    expect(outcome.value).toEqual({ approvalId: 'from-the-back-end', expiresAt: approvalEnd });
  });

  it('is rejected as busy alongside any other popup, even another approval', async () => {
    const client = makeClient();
    const refusal = { name: 'PopupBlockedError', reason: 'busy' };
    void login(client);
    await expect(client.popup.approve({ inquiryId: 'inq_1' })).rejects.toMatchObject(refusal);
    await expect(client.fiat.transferWithPopup(lunch)).rejects.toMatchObject(refusal);
    client.popup.active?.cancel();
    await pass(10);
    const same = { inquiryId: 'inq_1' };
    settled(client.popup.approve(same));
    for (const second of [client.popup.approve(same), client.auth.loginWithPopup()])
      await expect(second).rejects.toMatchObject(refusal);
    expect(opened.length).toBe(2);
  });

  it('is rejected if it is declined, without popupBaseUrl, or if the service rejects the request', async () => {
    const outcome = settled(makeClient().popup.approve({ inquiryId: 'inq_1' }));
    await pass(10);
    await decide('denied');
    expect(outcome.error).toMatchObject({ name: 'PopupRejectedError', reason: 'denied' });
    const client = createClient({ baseUrl: service, fetch: answer });
    clients.push(client);
    for (const call of [client.popup.approve({ inquiryId: 'inq_1' }), client.fiat.transferWithPopup(lunch)])
      await expect(call).rejects.toMatchObject({ name: 'PopupUnavailableError', reason: 'no_base_url' });
    registration = 404;
    opened = [];
    const unknown = settled(makeClient().popup.approve({ inquiryId: 'inq_2' }));
    await pass(10);
    expect(unknown.error?.message).toBe('Request rejected: refused 404');
    expect(popup().closed).toBe(true);
  });

  it('is rejected after two minutes, and moves no money whether approved at 119.9 or 121 seconds', async () => {
    for (const [approvedAt, more] of [
      [119_900, 1_100],
      [121_000, 0],
    ] as const) {
      opened = [];
      sent = [];
      says = { status: 'opened' };
      let arrive = () => {};
      pollGate = new Promise((resolve) => {
        arrive = resolve;
      });
      const outcome = settled(makeClient().fiat.transferWithPopup(lunch));
      await pass(approvedAt);
      says = { status: 'approved' };
      say('decided');
      await pass(more);
      arrive();
      await pass(5_000);
      expect(outcome.error).toMatchObject({ name: 'PopupClosedError', reason: 'timeout' });
      expect(outcome.error?.message).toMatch(/^Request rejected/);
      expect([confirmed(), sentTo('/cancel').length, popup().closed]).toEqual([[], 1, true]);
    }
  });

  it('rejects with a message for the person who declined', async () => {
    const outcome = settled(makeClient().fiat.transferWithPopup(lunch));
    await pass(10);
    await decide('denied');
    expect(outcome.error).toMatchObject({ message: 'Request rejected: you declined the payment' });
  });

  it('uses another timeout if the app sets one', async () => {
    const outcome = settled(
      makeClient({ popup: { approvalTimeoutMs: 5_000 } }).popup.approve({ inquiryId: 'inq_1' }),
    );
    await pass(4_500);
    expect(outcome).toEqual({});
    await pass(1_000);
    expect(outcome.error).toMatchObject({ reason: 'timeout' });
  });
});

describe('a transfer with a popup', () => {
  it('requests an approval and confirms with it only once', async () => {
    const client = makeClient({ appId: 'app_1' });
    const changed = vi.fn();
    client.on('wallet_changed', changed);
    const outcome = settled(client.fiat.transferWithPopup(lunch));
    expect([sent, opened.length]).toEqual([[], 1]);
    await pass(10);
    expect(sentTo('/inquiry')).toEqual([lunch]);
    expect(sentTo('/requests')).toEqual([expect.objectContaining({ kind: 'approval', inquiryId: 'inq_1' })]);
    expect(confirmed()).toEqual([]);
    await decide('approved');
    expect(outcome.value).toEqual({ id: 'trf_1' });
    const [registered] = sentTo('/requests');
    const [confirmation] = confirmed();
    expect(confirmation).toMatchObject({ inquiryId: 'inq_1', approvalId: channel() });
    expect(hash(confirmation?.['verifier'])).toBe(registered?.['challenge']);
    expect([confirmed().length, popup().closed, changed.mock.calls.length]).toEqual([1, true, 1]);
  });

  it('closes the window if no approval is needed', async () => {
    inquiry = false;
    const outcome = settled(makeClient().fiat.transferWithPopup(lunch));
    await pass(10);
    expect(outcome.value).toEqual({ id: 'trf_1' });
    expect(confirmed()).toEqual([{ inquiryId: 'inq_1' }]);
    expect([popup().closed, sent.length, vi.getTimerCount()]).toEqual([true, 2, 0]);
  });

  it.each([
    ['closes it', () => popup().close()],
    ['cancels it', (client: PidClient) => client.popup.active?.cancel()],
  ])('moves no money if the person %s before the response to the inquiry', async (_, leave) => {
    inquiry = false;
    let arrive = () => {};
    gate = new Promise((resolve) => {
      arrive = resolve;
    });
    const client = makeClient();
    const outcome = settled(client.fiat.transferWithPopup(lunch));
    await pass(10);
    leave(client);
    await pass(3_000);
    expect(outcome.error).toMatchObject({ name: 'PopupClosedError' });
    arrive();
    await pass(10_000);
    expect(confirmed()).toEqual([]);
  });

  it.each([
    ['the inquiry', 404, [], 'refused 404'],
    ['the confirmation', true, [403], 'refused 403'],
  ])(
    'rejects with a plain Error with the service’s message if %s fails',
    async (_, asked, answers, message) => {
      inquiry = asked;
      confirmations = answers;
      const outcome = settled(makeClient().fiat.transferWithPopup(lunch));
      await pass(10);
      await decide('approved');
      expect(outcome.error?.constructor).toBe(Error);
      expect(outcome.error).toMatchObject({ message, cause: { statusCode: Number(message.slice(-3)) } });
      expect(popup().closed).toBe(true);
    },
  );

  it('repeats a confirmation without a response, even past the deadline and after an abort', async () => {
    confirmations = [0, 503, 429];
    const client = makeClient();
    const outcome = settled(client.fiat.transferWithPopup(lunch));
    await pass(119_000);
    await decide('approved');
    client.popup.active?.cancel();
    await pass(3_000);
    expect(outcome).toEqual({});
    await pass(3_000);
    expect(outcome.value).toEqual({ id: 'trf_1' });
    expect(new Set(confirmed().map((body) => JSON.stringify(body))).size).toBe(1);
    confirmations = [0, 0, 0, 0, 0];
    opened = [];
    says = { status: 'opened' };
    const lost = settled(client.fiat.transferWithPopup(lunch));
    await pass(10);
    await decide('approved');
    await pass(10_000);
    expect([lost.error?.constructor, lost.error?.message]).toEqual([Error, 'Network error']);
  });
});
