import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Deps, OutgoingCall } from '../../../src/deps.ts';
import { deliverEvents } from '../../../src/features/webhook/deliver.ts';
import { sendLogouts } from '../../../src/features/webhook/deliver-logout.ts';
import { newApp } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import { makeServiceFiles, openFileService } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newMember } from '../../support/people.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(): Promise<InProcessTarget> {
  const files = await makeServiceFiles();
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    FRESH_SECONDS: '0',
    RATE_LIMITS: '{"*":1000000}',
  });
  cleanups.push(service.close, files.remove);
  return service;
}

/**
 * Calls to `https://slow…` succeed after this long by the service's clock; others succeed immediately. The clock moves
 * only while no other work is in progress, so that calls that start together also end together, however busy the
 * machine is.
 */
function outside(service: InProcessTarget, slowMs: number) {
  const called: string[] = [];
  let waiting: { until: number; answer: () => void }[] = [];
  let batches = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function pass(): Promise<void> {
    if (batches > 0 || waiting.length === 0) return;
    // The clock keeps running, so calls that started together end within half a second.
    const until = Math.min(...waiting.map((one) => one.until)) + 500;
    await service.advance(Math.max(0, until - service.now()) / 1000);
    const ended = waiting.filter((one) => one.until <= until);
    waiting = waiting.filter((one) => one.until > until);
    for (const { answer } of ended) answer();
    wait();
  }
  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void pass(), 25);
  }
  const { db } = service.deps;
  const deps: Deps = {
    ...service.deps,
    db: {
      async batch(statements) {
        batches += 1;
        try {
          return await db.batch(statements);
        } finally {
          batches -= 1;
          wait();
        }
      },
    },
    callOut: ({ url }: OutgoingCall) => {
      called.push(url);
      const answer = { status: 204, retryAfter: null };
      if (!url.includes('slow')) return Promise.resolve(answer);
      return new Promise((resolve) => {
        waiting.push({ until: service.now() + slowMs, answer: () => resolve(answer) });
        wait();
      });
    },
  };
  return { deps, called };
}

async function emit(
  service: InProcessTarget,
  { app, type, count = 1 }: { app: string; type: string; count?: number },
) {
  await service.rows(
    `INSERT INTO webhook_events (id, app_id, type, data, at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      SELECT 'evt_' || lower(hex(randomblob(13))), ?, ?, '{"sub":"ada@pid"}', ? FROM n`,
    [count, app, type, service.now()],
  );
}

/** Runs the scheduled job every minute, like the runtime. @returns the number of runs, or more than `most` */
async function runsUntil(
  service: InProcessTarget,
  job: () => Promise<unknown>,
  done: () => boolean,
  most: number,
) {
  for (let run = 1; run <= most; run += 1) {
    const next = service.now() + 60_000;
    await job();
    if (done()) return run;
    if (service.now() < next) await service.advance((next - service.now()) / 1000);
  }
  return most + 1;
}

/** Strangers with fifty apps together, the maximum of one account, each with a queue. */
async function fiftyApps(service: InProcessTarget, type: string, accounts: number): Promise<void> {
  let { browser } = await newMember(service);
  for (let n = 0; n < 50; n += 1) {
    if (n > 0 && n % (50 / accounts) === 0) ({ browser } = await newMember(service));
    const url = `https://slow${n}.example.com/in`;
    const { id } = await newApp(browser, { backchannelLogoutUri: url });
    await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }));
    await emit(service, { app: id, type, count: 50 });
  }
  await service.advance(1);
}

async function quickApp(service: InProcessTarget): Promise<string> {
  const { browser } = await newMember(service);
  const url = 'https://quick.example.com/in';
  const { id } = await newApp(browser, { backchannelLogoutUri: url });
  await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }));
  return id;
}

interface Strangers {
  readonly slowMs: number;
  readonly type: string;
  readonly accounts: number;
}

/** Returns the number of job runs for which each of four consecutive messages waits. */
async function waitsOf(service: InProcessTarget, { slowMs, type, accounts }: Strangers): Promise<number[]> {
  const { deps, called } = outside(service, slowMs);
  const job = () => (type === 'logout' ? sendLogouts(deps) : deliverEvents(deps));
  await fiftyApps(service, type, accounts);
  const app = await quickApp(service);
  const waits: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const before = called.length;
    await emit(service, { app, type });
    const isSent = () => called.slice(before).some((url) => url.includes('quick'));
    waits.push(await runsUntil(service, job, isSent, 30));
  }
  return waits;
}

describe.each([
  [1, 14_000],
  [1, 4_900],
  [50, 4_000],
])('fifty apps of %d account(s) with receivers that take %d ms', (accounts, slowMs) => {
  it.each(['logout', 'transfer.completed'])(
    'delay the %s of another app by at most two minutes',
    { timeout: 120_000 },
    async (type) => {
      const waits = await waitsOf(await start(), { slowMs, type, accounts });
      // Each account may be slow once before this is detected.
      const known = waits.slice(accounts > 1 ? 1 : 0);
      expect(Math.max(...known), `runs, one a minute: ${waits.join(', ')}`).toBeLessThanOrEqual(2);
    },
  );
});
