import { describe, expect, it } from 'vitest';
import {
  begun,
  cancelled,
  heard,
  initialState,
  looked,
  type PopupEvent,
  type PopupState,
  polled,
  type RequestStatus,
  redeemed,
  reduce,
  registered,
} from '../../sdk/popup-state.ts';

const until = 300_000;
const start = initialState(until);

/** An event, its time, and whether the window looks closed at that time. */
type Step = readonly [event: PopupEvent, now?: number, isClosed?: boolean];

const play = (state: PopupState, ...steps: Step[]) =>
  steps.reduce((before, [event, now = 0, isClosed = false]) => reduce(before, event, now, isClosed), state);

const opened = play(start, [begun]);
const open = play(opened, [registered({})]);
const polling = play(open, [heard('decided')]);
/** A window that has looked closed since time 0, with its first poll in progress. */
const closed = play(open, [looked, 0, true]);

const status = (more: Partial<RequestStatus> = {}): RequestStatus => ({
  status: 'opened',
  reason: null,
  openerLost: false,
  closed: false,
  seversOpener: false,
  expiresAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const refusal = (statusCode: number) => ({ statusCode, message: 'refused' });

function outcomeOf({ outcome, phase }: PopupState): string | undefined {
  if (!outcome) return undefined;
  expect(phase).toBe('settled');
  return 'closed' in outcome
    ? `closed ${outcome.closed}`
    : 'rejected' in outcome
      ? `rejected ${outcome.rejected}`
      : 'done';
}

describe('an event', () => {
  it('does not modify the previous state', () => {
    const before = Object.freeze({ ...start });
    expect(reduce(before, begun, 0, false)).toEqual({ ...start, phase: 'open' });
    expect(before).toEqual(start);
  });

  it.each<[string, PopupEvent]>([
    ['time', looked],
    ['a message', heard('ready')],
    ['a poll', polled(status({ status: 'approved' }))],
    ['an approval', redeemed({})],
    ['another end', cancelled],
  ])('changes nothing after the popup is settled: %s', (_, event) => {
    const settled = play(polling, [cancelled]);
    expect(play(settled, [event, until, true])).toEqual(settled);
  });
});

describe('a registration', () => {
  it('must finish before the service is polled', () => {
    expect(play(opened, [heard('decided')]).asking).toBe('register');
    expect(play(opened, [heard('decided')], [registered({})], [looked]).asking).toBe('poll');
  });

  it.each([
    [0, 'origin'],
    [401, 'denied'],
    [403, 'origin'],
    [409, 'tampered'],
    [400, 'malformed'],
    [503, 'malformed'],
  ])('rejected with %i fails as %s', (statusCode, reason) => {
    expect(outcomeOf(play(opened, [registered(refusal(statusCode))]))).toBe(`rejected ${reason}`);
  });

  it('is abandoned after the window has been closed for one and a half seconds', () => {
    const closing = play(opened, [looked, 0, true], [looked, 1_499, true]);
    expect(outcomeOf(closing)).toBeUndefined();
    expect(outcomeOf(play(closing, [looked, 1_500, true]))).toBe('closed user');
  });
});

describe('a poll', () => {
  it('is never due while the window is open and silent', () => {
    expect(play(open, [looked, until - 1]).asking).toBeUndefined();
    expect(play(polling, [polled(status())], [looked, until - 1]).asking).toBeUndefined();
  });

  it.each(['decided', 'closing'])('is due when the popup reports %s', (message) => {
    expect(play(open, [heard(message)]).asking).toBe('poll');
  });

  it('is due when the window looks closed, and every one and a half seconds thereafter', () => {
    expect(closed.asking).toBe('poll');
    const answered = play(closed, [polled(status()), 100, true]);
    expect(play(answered, [looked, 1_599, true]).asking).toBeUndefined();
    expect(play(answered, [looked, 1_600, true]).asking).toBe('poll');
  });

  it('waits for the previous poll', () => {
    expect(play(polling, [heard('decided'), 1]).asking).toBe('poll');
    const redeeming = play(polling, [polled(status({ status: 'approved' })), 1]);
    expect(play(redeeming, [looked, 10_000]).asking).toBe('redeem');
  });

  it.each([
    ['approved', 'redeem'],
    ['redeemed', 'redeem'],
    ['opened', undefined],
  ])('answered with %s leads to %s', (is, asking) => {
    expect(play(polling, [polled(status({ status: is }))]).asking).toBe(asking);
  });

  it.each<[string, RequestStatus['reason'], string]>([
    ['denied', null, 'denied'],
    ['invalid', null, 'tampered'],
    ['invalid', 'terms_changed', 'terms_changed'],
    ['expired', null, 'expired'],
    ['lapsed', null, 'expired'],
  ])('answered with %s (%s) rejects as %s', (is, reason, expected) => {
    const state = play(polling, [polled(status({ status: is, reason }))]);
    expect(outcomeOf(state)).toBe(`rejected ${expected}`);
  });

  it('rejects if the request is gone and is repeated after any other error', () => {
    expect(outcomeOf(play(polling, [polled(refusal(404))]))).toBe('rejected expired');
    for (const statusCode of [0, 401, 429, 503]) {
      const state = play(polling, [polled(refusal(statusCode)), 100]);
      expect([state.outcome, state.pollAt]).toEqual([undefined, 1_600]);
    }
  });
});

describe('a window that looks closed', () => {
  /** The outcome of a poll answered `ms` milliseconds after the window closed. */
  const outcomeAfter = (ms: number, answer: Partial<RequestStatus>, from: PopupState = closed) =>
    outcomeOf(play(from, [polled(status(answer)), ms, true]));

  it('is treated as closed immediately if its request is cancelled or its last page was ours', () => {
    expect(outcomeAfter(0, { status: 'cancelled' })).toBe('closed user');
    expect(outcomeAfter(0, {}, play(closed, [heard('ready'), 0, true]))).toBe('closed user');
    expect(outcomeAfter(0, {}, play(closed, [heard('away'), 0, true], [heard('back'), 0, true]))).toBe(
      'closed user',
    );
  });

  it.each<[string, Partial<RequestStatus>, PopupState, number]>([
    ['before its page was shown', { status: 'created' }, closed, 1_500],
    ["on a provider's page", {}, play(closed, [heard('away'), 0, true]), 1_500],
    ['without any message', {}, closed, 4_000],
  ])('is treated as closed after a while: %s', (_, answer, from, ms) => {
    expect([outcomeAfter(ms - 1, answer, from), outcomeAfter(ms, answer, from)]).toEqual([
      undefined,
      'closed user',
    ]);
  });

  it('is closed after the service reports its page as closed twice', () => {
    const once = play(closed, [polled(status({ closed: true })), 60_000, true]);
    expect(outcomeOf(once)).toBeUndefined();
    expect(outcomeAfter(61_500, { closed: true }, once)).toBe('closed user');
    const between = play(once, [polled(status()), 2_000, true]);
    expect(outcomeAfter(61_500, { closed: true }, between)).toBeUndefined();
  });

  it('is detached if it lost its opener or left for a provider that severs openers', () => {
    const away = play(closed, [heard('away'), 0, true]);
    for (const state of [
      play(closed, [polled(status({ openerLost: true })), 60_000, true]),
      play(away, [polled(status({ seversOpener: true })), 60_000, true]),
    ])
      expect([state.phase, state.outcome, state.pollAt]).toEqual(['detached', undefined, 61_500]);
  });
});

describe('a message', () => {
  it.each([
    ['ready', 'ready'],
    ['back', 'ready'],
    ['away', 'away'],
  ])('%s changes the phase to %s', (message, phase) => {
    expect(play(open, [heard(message)]).phase).toBe(phase);
  });

  it('changes nothing if its content is unknown', () => {
    for (const message of ['', 'settled', null, undefined, 1, {}, ['ready'], { toString: () => 'ready' }])
      expect(play(open, [heard(message)])).toEqual(open);
  });
});

describe('the outcome', () => {
  it('is the result of the approved request', () => {
    const value = { type: 'signed_in' };
    expect(play(polling, [redeemed(value)])).toMatchObject({ phase: 'settled', outcome: { value } });
  });

  it('is a rejection only after the fourth 401', () => {
    const answers = (...codes: number[]) =>
      play(polling, ...codes.map((code): Step => [redeemed(refusal(code))]));
    const three = answers(401, 503, 401, 0, 401);
    expect([three.outcome, three.asking]).toEqual([undefined, undefined]);
    expect(outcomeOf(play(three, [redeemed(refusal(401))]))).toBe('rejected denied');
  });

  it('is a timeout when the time is up, even before a window opens', () => {
    for (const state of [start, opened, open, polling, closed])
      expect(outcomeOf(play(state, [looked, until]))).toBe('closed timeout');
  });

  it('is set by the caller’s abort, except while a result is being fetched', () => {
    expect(outcomeOf(play(open, [cancelled]))).toBe('closed aborted');
    const redeeming = play(polling, [polled(status({ status: 'approved' }))]);
    for (const late of [play(redeeming, [looked, until]), play(redeeming, [cancelled])]) {
      expect(late.outcome).toBeUndefined();
      expect(outcomeOf(play(late, [redeemed({}), until]))).toBe('done');
      const failed = play(late, [redeemed(refusal(503)), until], [looked, until]);
      expect(outcomeOf(failed)).toBe(`closed ${late.closing ?? 'timeout'}`);
    }
  });

  it('is not an approval that the service reports after the deadline', () => {
    const late = play(polling, [polled(status({ status: 'approved' })), until], [looked, until]);
    expect(outcomeOf(late)).toBe('closed timeout');
  });

  it('is the result of another request, or is fetched immediately if no decision is needed', () => {
    const failed = { failed: refusal(404) };
    for (const event of [registered(failed), redeemed(failed)])
      expect(play(opened, [event])).toMatchObject({ phase: 'settled', outcome: failed });
    expect(play(opened, [registered({ approved: true })]).asking).toBe('redeem');
  });
});
