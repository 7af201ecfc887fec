import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { countAccounts, expectError, expectNoSession } from '../support/outcomes.ts';
import { newMember, signIn, startSignIn } from '../support/people.ts';
import { type CodeReport, reportCode, type Scenario } from '../support/provider-driver.ts';
import { startService, useSharedService } from '../support/service.ts';
import type { Target } from '../support/target.ts';

const lying = inject('lyingIssuer');
/** The maximum time for which a browser waits. */
const patienceMs = 10_000;

const target = useSharedService();

/**
 * Expects a sign-in at a faulty provider to end in 502 without creating anything, and returns the provider's records.
 */
async function expectFailure(service: Target, scenario: Scenario, issuer = lying): Promise<CodeReport> {
  const browser = openBrowser(service);
  const { callback, code } = await startSignIn(service, browser, scenario);
  await expectNoSession(service, 'provider_failed', () => browser.fetch(callback));
  return reportCode(issuer, code);
}

/** A separate service for a faulty issuer. */
async function withIssuer(mode: string, run: (service: Target, issuer: string) => Promise<void>) {
  const issuer = `${lying}/${mode}`;
  const service = await startService({ IDP_ISSUER: issuer });
  await run(service, issuer);
}

describe('a faulty token endpoint', () => {
  it.each(['500', 'html', 'empty-object', 'invalid_grant'] as const)(
    'does not sign anyone in and is called only once: %s [D-32]',
    async (token) => {
      const { tokenCalls } = await expectFailure(target, { token });
      expect(tokenCalls).toHaveLength(1);
    },
  );

  it('is not followed if it redirects [D-32]', async () => {
    const { tokenCalls, internalVisits } = await expectFailure(target, { token: 'redirect' });
    expect([tokenCalls.length, internalVisits]).toEqual([1, 0]);
  });

  it('is not read to the end if it sends 50 MB [D-32]', async () => {
    const { tokenCalls, hugeBytes } = await expectFailure(target, { token: 'huge' });
    expect(tokenCalls).toHaveLength(1);
    // The sockets between the two buffer some megabytes more than the service read.
    expect(hugeBytes).toBeLessThan(16 * 1024 * 1024);
  });

  it('is awaited if it is slow but within the deadline', async () => {
    const browser = openBrowser(target);
    const { callback } = await startSignIn(target, browser, { token: 'slow', delayMs: 1500 });
    expect((await browser.navigate(callback)).status).toBe(302);
  });
});

describe('a faulty userinfo endpoint', () => {
  it.each(['500', 'html', 'empty-object', 'absent', 'other-sub'] as const)(
    'does not sign anyone in: %s [D-32]',
    async (userinfo) => {
      const report = await expectFailure(target, { userinfo, splitClaims: true });
      expect([report.tokenCalls.length, report.userinfoCalls]).toEqual([1, 1]);
    },
  );

  it('is not followed if it redirects [D-32]', async () => {
    const report = await expectFailure(target, { userinfo: 'redirect', splitClaims: true });
    expect([report.userinfoCalls, report.internalVisits]).toEqual([1, 0]);
  });

  it('is not read to the end if it sends 50 MB [D-32]', async () => {
    const report = await expectFailure(target, { userinfo: 'huge', splitClaims: true });
    expect(report.userinfoCalls).toBe(1);
    expect(report.hugeBytes).toBeLessThan(16 * 1024 * 1024);
  });

  it('is not called if the ID token is complete', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser, { userinfo: '500' });
    expect((await browser.navigate(callback)).status).toBe(302);
    expect((await reportCode(lying, code)).userinfoCalls).toBe(0);
  });

  it('may be missing altogether', () =>
    withIssuer('missing-userinfo-endpoint', async (service) => {
      const browser = openBrowser(service);
      const { callback } = await startSignIn(service, browser, { splitClaims: true });
      expect((await browser.navigate(callback)).status).toBe(302);
      expect(await (await browser.fetch('/v1/auth/claim')).json()).toMatchObject({ email: null });
    }));
});

describe('a provider that cannot be reached', () => {
  it.each(['token-refused', 'token-tls-error'])(
    'fails immediately with 502 at its token endpoint: %s [R-15]',
    (mode) =>
      withIssuer(mode, async (service, issuer) => {
        const started = performance.now();
        expect((await expectFailure(service, {}, issuer)).tokenCalls).toEqual([]);
        expect(performance.now() - started).toBeLessThan(patienceMs);
        expect((await openBrowser(service).fetch('/healthz')).status).toBe(200);
      }),
  );

  it.each(['jwks-500', 'jwks-broken-json'])('fails with 502 at its key set: %s [R-15]', (mode) =>
    withIssuer(mode, async (service, issuer) => {
      expect((await expectFailure(service, {}, issuer)).tokenCalls).toHaveLength(1);
    }),
  );
});

describe('a provider that stops responding', () => {
  it('times out within ten seconds, and does not delay other people [R-15]', { timeout: 30_000 }, () =>
    withIssuer('silent', async (silent) => {
      const { browser: member } = await newMember(target);
      const scenarios: Scenario[] = [
        { token: 'silent' },
        { token: 'stalled' },
        { userinfo: 'silent', splitClaims: true },
        { userinfo: 'stalled', splitClaims: true },
        { token: 'slow', delayMs: 7000, userinfo: 'slow', splitClaims: true },
      ];
      const attempts = await Promise.all(
        scenarios.map(async (scenario) => {
          const browser = openBrowser(target);
          return { browser, ...(await startSignIn(target, browser, scenario)) };
        }),
      );
      const before = await countAccounts(target);
      const tenths = countTenths();
      let ended = 0;
      const inTime = async (answer: Response) => {
        ended += 1;
        expect(tenths()).toBeLessThan(patienceMs / 100);
        await expectError(answer, 'provider_failed');
      };
      const failures = attempts.map(async ({ browser, callback, code }) => {
        await inTime(await browser.fetch(callback));
        expect((await reportCode(lying, code)).tokenCalls).toHaveLength(1);
      });
      const start = openBrowser(silent).fetch('/v1/auth/idp').then(inTime);

      await expectSwift(member, () => ended === 0);
      await Promise.all([start, ...failures]);
      expect(await countAccounts(target)).toEqual(before);
      expect((await signIn(target, openBrowser(target))).status).toBe(302);
    }),
  );
});

/** Counts tenths of a second until the test ends. On a busy machine each takes longer, like the service’s own wait. */
function countTenths(): () => number {
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
  }, 100);
  onTestFinished(() => clearInterval(timer));
  return () => count;
}

/** Expects reads and a refresh to be as fast as usual while others wait for the provider. */
async function expectSwift(member: Browser, othersWait: () => boolean): Promise<void> {
  expect((await member.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  const waits: number[] = [];
  for (let read = 0; read < 40 && othersWait(); read += 1) {
    const asked = performance.now();
    expect((await member.fetch('/v1/auth/session')).status).toBe(200);
    if (othersWait()) waits.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect(waits.length).toBeGreaterThanOrEqual(10);
  waits.sort((a, b) => a - b);
  // A generous limit for the median, because other suites share the CPU: a request that waits here waits for seconds.
  expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(500);
}
