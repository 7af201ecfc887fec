import fc from 'fast-check';
import { expect } from 'vitest';
import { type Fault, type FaultyDatabase, fate } from '../support/break-database.ts';
import { type Browser, json } from '../support/browser.ts';
import type { InProcessTarget } from '../support/in-process.ts';
import { startSignIn } from '../support/people.ts';
import { setCookies, valueSet } from '../support/set-cookie.ts';
import type { TargetRequest } from '../support/target.ts';
import { expectAgreement } from './invariants.ts';
import * as rules from './session-model.ts';

export interface World {
  readonly target: InProcessTarget;
  readonly database: FaultyDatabase;
  readonly browsers: readonly Browser[];
}

type Command = fc.AsyncCommand<rules.Model, World>;
type Act = (model: rules.Model, world: World) => Promise<void>;

const subjects = ['ada', 'ben', 'eve'];
const addresses = ['one@example.com', 'two@example.com', null];
/** The last one looks like the first. */
const handles = ['ada-one', 'ben-two', 'eve-six', 'ada.0ne'];

/** A command that can always run, after which the database must agree with the model. */
function command(name: string, act: Act): Command {
  return {
    check: () => true,
    async run(model, world) {
      // The faults are for this command, not for the work after the last response.
      await world.target.settled?.();
      // Two requests in one millisecond would leave their rows unordered.
      await world.target.advance(0.001);
      try {
        await act(model, world);
      } finally {
        world.database.plan([]);
      }
      await expectAgreement(model, world.target);
    },
    toString: () => name,
  };
}

/**
 * The circumstances of one request: the browser that sends it, what happens to its batches, and whether the response
 * arrives.
 */
interface Course {
  readonly browser: number;
  readonly faults: readonly Fault[];
  readonly lost: boolean;
}

const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fault>('none') },
  { weight: 1, arbitrary: fc.constantFrom<Fault>('lost before', 'lost after', 'down before', 'down after') },
);
const course = fc.record({
  browser: fc.nat({ max: 1 }),
  faults: fc.array(fault, { maxLength: 2 }),
  lost: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

interface Sent {
  readonly answer: Response;
  readonly now: number;
  readonly browser: Browser;
  /** Cookies as they were sent. */
  readonly refresh: string | null;
  readonly access: string | null;
  readonly claim: string | null;
}

/** Sends a request under its circumstances; if the response is lost, the browser keeps its old cookies. */
async function send(
  world: World,
  { browser: index, faults, lost }: Course,
  path: string,
  init: TargetRequest,
): Promise<Sent> {
  const browser = world.browsers[index];
  if (!browser) throw new Error('no such browser');
  const [refresh, access, claim] = await Promise.all(
    ['pid_refresh', 'pid_access', 'pid_claim'].map((name) => browser.cookie(name)),
  );
  world.database.plan(faults);
  const origin = init.method === undefined ? {} : { Origin: world.target.origin };
  const headers = { ...origin, ...init.headers, Cookie: await browser.cookies(path) };
  const answer = lost
    ? await world.target.request(path, { ...init, headers })
    : await browser.fetch(path, init);
  world.database.plan([]);
  const now = world.target.now();
  return { answer, now, browser, refresh: refresh || null, access: access || null, claim: claim || null };
}

/** The response reports an unavailable database, and neither sets nor clears cookies. */
function expectUnavailable(answer: Response): void {
  expect(answer.status).toBe(503);
  expect(setCookies(answer).filter(({ name }) => !name.startsWith('pid_oauth'))).toEqual([]);
}

/** Records the tokens set by a response. */
function learnTokens(model: rules.Model, answer: Response, sessionId: string, now: number): void {
  const [refresh, access] = [valueSet(answer, 'pid_refresh'), valueSet(answer, 'pid_access')];
  const session = model.sessions.get(sessionId);
  if (!refresh || !access || !session) throw new Error('a session without tokens');
  model.refresh.set(refresh, sessionId);
  const ends = Math.floor(now / 1000) * 1000 + rules.lifetimes.access;
  model.access.set(access, {
    sessionId,
    expiresAt: Math.min(ends, Math.floor(session.expiresAt / 1000) * 1000),
  });
}

function expectNoTokens(answer: Response): void {
  expect([valueSet(answer, 'pid_refresh'), valueSet(answer, 'pid_access')]).toEqual([null, null]);
}

/** The session that a request created although its response was lost. */
async function unknownSession(model: rules.Model, world: World): Promise<string> {
  const rows = await world.target.rows<{ id: string }>('SELECT id FROM sessions');
  const unknown = rows.filter(({ id }) => !model.sessions.has(id));
  expect(unknown.length).toBe(1);
  return unknown[0]?.id ?? '';
}

function signIn(subject: string, email: string | null, course: Course): Act {
  return async (model, world) => {
    const claims = { sub: subject, email, email_verified: email === null ? null : true, name: subject };
    const browser = world.browsers[course.browser] as Browser;
    const { callback } = await startSignIn(world.target, browser, { claims });
    const sent = await send(world, course, callback, {});
    const { answer, now, refresh } = sent;
    const [useState, decide] = course.faults;
    if (!fate(useState).answered) return expectUnavailable(answer);
    // A retry cannot distinguish its own use of the state from another's, so it fails, which is safe.
    if (useState === 'lost after') return expect(answer.status).toBe(400);
    const { applied, answered } = fate(decide);
    const verdict = rules.judgeSignIn(model, subject, email);
    const statuses = { signed_in: 302, claim_required: 302, email_conflict: 409, suspended: 403 };
    if (answered) expect(answer.status).toBe(statuses[verdict]);
    else expectUnavailable(answer);
    if (!applied) return;
    if (verdict === 'claim_required') {
      const text = valueSet(answer, 'pid_claim');
      if (!text) model.unseenTickets += 1;
      else model.tickets.set(text, { subject, email, expiresAt: now + rules.lifetimes.ticket, used: false });
    }
    if (verdict !== 'signed_in') return expectNoTokens(answer);
    const [credentialId = '', credential] = rules.credentialOf(model, subject) ?? [];
    if (credential) rules.presentEmail(model, credential, email);
    await begin(model, world, sent, credentialId, answered);
    rules.endSession(model, model.refresh.get(refresh ?? ''), 'replaced');
  };
}

/** Records the session created by a sign-in or a claim. */
async function begin(
  model: rules.Model,
  world: World,
  { answer, now }: Sent,
  credentialId: string,
  answered: boolean,
): Promise<void> {
  const token = answered ? valueSet(answer, 'pid_refresh') : null;
  const id = token?.split('.')[1] ?? (await unknownSession(model, world));
  rules.beginSession(model, { id, credentialId, token, now });
  if (answered) learnTokens(model, answer, id, now);
}

function claim(handle: string, course: Course): Act {
  return async (model, world) => {
    const sent = await send(world, course, '/v1/auth/claim', json('POST', { handle }));
    const verdict = rules.judgeClaim(model, sent.claim, handle, sent.now);
    const { applied, answered } = sent.claim === null ? fate() : fate(course.faults[0]);
    const statuses = { claimed: 200, gone: 410, taken: 409, email_conflict: 409 };
    if (answered) expect(sent.answer.status).toBe(statuses[verdict]);
    else expectUnavailable(sent.answer);
    if (!applied || verdict !== 'claimed' || sent.claim === null) return expectNoTokens(sent.answer);
    const { subject } = model.tickets.get(sent.claim) ?? {};
    const [row] = await world.target.rows<{ id: string }>(
      'SELECT id FROM credentials WHERE provider_user_id = ?',
      [subject ?? ''],
    );
    rules.makeIdentity(model, { ticket: sent.claim, handle, credentialId: row?.id ?? '' });
    await begin(model, world, sent, row?.id ?? '', answered);
    rules.endSession(model, model.refresh.get(sent.refresh ?? ''), 'replaced');
  };
}

const signInCommand = (subject: string, email: string | null, course: Course) =>
  command(`signIn(${subject}, ${email}, ${JSON.stringify(course)})`, signIn(subject, email, course));

const claimCommand = (handle: string, course: Course) =>
  command(`claim(${handle}, ${JSON.stringify(course)})`, claim(handle, course));

/** An undisturbed sign-in and, for a newcomer, an immediate claim, which populates the world. */
const join = (subject: string, email: string | null, handle: string, course: Course) =>
  command(`join(${subject}, ${email}, ${handle}, ${JSON.stringify(course)})`, async (model, world) => {
    await signIn(subject, email, { ...course, faults: [], lost: false })(model, world);
    await claim(handle, course)(model, world);
  });

const giveBack = (course: Course) =>
  command(`giveBack(${JSON.stringify(course)})`, async (model, world) => {
    const { answer, claim } = await send(world, course, '/v1/auth/claim', { method: 'DELETE' });
    const { applied, answered } = claim === null ? fate() : fate(course.faults[0]);
    if (answered) expect(answer.status).toBe(204);
    else expectUnavailable(answer);
    if (applied && claim !== null && !model.tickets.get(claim)?.used) model.tickets.delete(claim);
  });

/** Applies one refresh to the model, and returns the expected response. */
function refreshStep(
  model: rules.Model,
  step: { token: string | null; faults: readonly Fault[]; answer: Response; now: number },
): void {
  const { token, answer, now } = step;
  const [spend, explain] = step.faults;
  const sessionId = model.refresh.get(token ?? '');
  if (token === null || sessionId === undefined) {
    expect([answer.status, setCookies(answer)]).toEqual([401, []]);
    return;
  }
  const wins = rules.canRotate(model, token, now);
  const isAsked = !wins || spend === 'lost after';
  const applied = wins && fate(spend).applied;
  const answered = fate(spend).answered && (!isAsked || fate(explain).answered);
  if (applied) rules.rotate(model, token, answered ? valueSet(answer, 'pid_refresh') : null, now);
  if (!answered) expectUnavailable(answer);
  else if (wins) {
    expect(answer.status).toBe(204);
    learnTokens(model, answer, sessionId, now);
  }
  if (wins || !fate(spend).answered || !fate(explain).applied) return;
  const forgets = rules.refuse(model, token, now);
  if (!answered) return;
  expect(answer.status).toBe(401);
  expect(setCookies(answer).map(({ value }) => value)).toEqual(forgets ? ['', '', '', ''] : []);
}

const refresh = (course: Course) =>
  command(`refresh(${JSON.stringify(course)})`, async (model, world) => {
    const sent = await send(world, course, '/v1/auth/refresh', { method: 'POST' });
    refreshStep(model, { token: sent.refresh, faults: course.faults, answer: sent.answer, now: sent.now });
  });

/** Someone who once saw a refresh token uses it, outside any browser. */
const replay = (choice: number, faults: readonly Fault[]) =>
  command(`replay(${choice}, ${JSON.stringify(faults)})`, async (model, world) => {
    const tokens = [...model.refresh.keys()];
    const token = tokens[choice % tokens.length];
    if (token === undefined) return;
    world.database.plan(faults);
    const headers = { Cookie: `pid_refresh=${token}` };
    const answer = await world.target.request('/v1/auth/refresh', { method: 'POST', headers });
    refreshStep(model, { token, faults, answer, now: world.target.now() });
  });

/** Two tabs of one browser refresh simultaneously. */
const refreshTwice = (index: number) =>
  command(`refreshTwice(${index})`, async (model, world) => {
    const browser = world.browsers[index] as Browser;
    const token = (await browser.cookie('pid_refresh')) || null;
    const tab = () => browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const answers = await Promise.all([tab(), tab()]);
    const ordered = answers.sort((one, two) => one.status - two.status);
    const now = world.target.now();
    for (const answer of ordered) refreshStep(model, { token, faults: [], answer, now });
  });

const logout = (course: Course) =>
  command(`logout(${JSON.stringify(course)})`, async (model, world) => {
    const { answer, now, refresh, access } = await send(world, course, '/v1/auth/logout', { method: 'POST' });
    const id = model.refresh.get(refresh ?? '') ?? actorOf(model, access, now);
    const { applied, answered } = id === null ? fate() : fate(course.faults[0]);
    if (answered) {
      expect(answer.status).toBe(204);
      expect(setCookies(answer).map(({ value }) => value)).toEqual(['', '', '', '']);
    } else expectUnavailable(answer);
    if (applied) rules.endSession(model, id, 'logout');
  });

/** The session of an access token, while the token is valid. */
function actorOf(model: rules.Model, access: string | null, now: number): string | null {
  const known = model.access.get(access ?? '');
  return known && known.expiresAt > now ? known.sessionId : null;
}

/** Checks that the service and the model agree on who is signed in. */
const read = (index: number) =>
  command(`read(${index})`, async (model, world) => {
    const course = { browser: index, faults: [], lost: false };
    const { answer, now, access } = await send(world, course, '/v1/auth/session', {});
    const id = actorOf(model, access, now);
    expect(answer.status).toBe(id === null ? 401 : 200);
    if (id === null) return;
    const handle = model.sessions.get(id)?.handle;
    expect(await answer.json()).toMatchObject({ handle, pid: `${handle}@pid`, session: { id } });
  });

const unlink = (subject: string, course: Course) =>
  command(`unlink(${subject}, ${JSON.stringify(course)})`, async (model, world) => {
    const [id] = rules.credentialOf(model, subject) ?? ['crd_unknown'];
    const { answer, now, access } = await send(world, course, `/v1/credentials/${id}`, { method: 'DELETE' });
    const actor = actorOf(model, access, now);
    const verdict = rules.judgeUnlink(model, actor, id, now);
    const statuses = { unlinked: 204, unauthenticated: 401, not_fresh: 403, not_found: 404, last: 400 };
    const { applied, answered } = actor === null ? fate() : fate(course.faults[0]);
    if (answered) expect(answer.status).toBe(statuses[verdict]);
    else expectUnavailable(answer);
    if (applied && verdict === 'unlinked' && actor !== null) rules.unlink(model, actor, id);
  });

/** Adds a second credential to an identity, like linking. */
const link = (subject: string, choice: number) =>
  command(`link(${subject}, ${choice})`, async (model, world) => {
    const owners = [...model.status.keys()];
    const handle = owners[choice % owners.length];
    if (handle === undefined || rules.credentialOf(model, subject)) return;
    const id = `crd_${model.sessions.size}_${world.target.now()}`;
    await world.target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        VALUES (?, ?, 'idp', ?, 1, 1)`,
      [id, handle, subject],
    );
    model.credentials.set(id, { handle, subject, email: null });
  });

const setStatus = (choice: number, status: 'active' | 'suspended') =>
  command(`setStatus(${choice}, ${status})`, async (model, world) => {
    const owners = [...model.status.keys()];
    const handle = owners[choice % owners.length];
    if (handle === undefined) return;
    await world.target.rows('UPDATE identities SET status = ? WHERE handle = ?', [status, handle]);
    model.status.set(handle, status);
  });

const advance = (seconds: number) =>
  command(`advance(${seconds})`, async (_, { target }) => target.advance(seconds));

const restart = command('restart()', async (_, { target }) => target.restart());

const browser = fc.nat({ max: 1 });
const choice = fc.nat({ max: 20 });
const subject = fc.constantFrom(...subjects);
const email = fc.constantFrom(...addresses);
const status = fc.constantFrom<'active' | 'suspended'>('active', 'active', 'suspended');

/** Every kind of command, with its frequency. */
const weighted: [number, fc.Arbitrary<Command>][] = [
  [4, fc.tuple(subject, email, fc.constantFrom(...handles), course).map((chosen) => join(...chosen))],
  [3, fc.tuple(subject, email, course).map((chosen) => signInCommand(...chosen))],
  [3, fc.tuple(fc.constantFrom(...handles), course).map((chosen) => claimCommand(...chosen))],
  [5, course.map(refresh)],
  [3, fc.tuple(choice, fc.array(fault, { maxLength: 2 })).map((chosen) => replay(...chosen))],
  [5, fc.tuple(subject, course).map((chosen) => unlink(...chosen))],
  [2, fc.constantFrom(5, 11, 310, 310, 310, 601, 901, 3601).map(advance)],
  [3, fc.tuple(subject, choice).map((chosen) => link(...chosen))],
  [1, browser.map(refreshTwice)],
  [2, browser.map(read)],
  [1, course.map(logout)],
  [1, course.map(giveBack)],
  [1, fc.tuple(choice, status).map((chosen) => setStatus(...chosen))],
  [1, fc.constant(restart)],
];

export const commands: fc.Arbitrary<Command>[] = weighted.flatMap(([weight, arbitrary]) =>
  Array<fc.Arbitrary<Command>>(weight).fill(arbitrary),
);
