import { describe, expect, it } from 'vitest';
import { refusal, seen } from '../support/answers.ts';
import { json, openBrowser } from '../support/browser.ts';
import { newAdmin, newMember, signIn, somebody } from '../support/people.ts';
import { startService, useService } from '../support/service.ts';
import { claimWith, insertTickets } from '../support/tickets.ts';

const target = useService({ ADMIN_PIDS: 'night.keeper@pid, keyholder@pid' });
const taken = refusal(409, 'PID already taken');

describe('a handle in ADMIN_PIDS', () => {
  it('cannot be claimed, and neither can its look-alikes', async () => {
    const [ticket = ''] = await insertTickets(target, 1);
    for (const handle of ['night.keeper', 'Night-Keeper', 'n1ghtkeeper', 'keyholder']) {
      expect(await seen(await claimWith(target, ticket, { handle })), handle).toEqual(taken);
    }
    expect((await claimWith(target, ticket, { handle: 'night.keepers' })).status).toBe(200);
  });

  it('is shown as taken and never suggested', async () => {
    const browser = openBrowser(target);
    await signIn(target, browser, { ...somebody(), name: 'Night Keeper' });
    const check = await browser.fetch('/v1/auth/claim/handles/night.keeper');
    const { suggestions, ...shown } = (await check.json()) as { suggestions: string[] };
    expect(shown).toMatchObject({ available: false, reason: 'taken' });
    const { suggestedHandle } = (await (await browser.fetch('/v1/auth/claim')).json()) as {
      suggestedHandle: string;
    };
    for (const offered of [...suggestions, suggestedHandle]) expect(offered).toMatch(/^night\.keeper.?.+/);
    expect((await browser.fetch('/v1/auth/claim', json('POST', { handle: suggestedHandle }))).status).toBe(
      200,
    );
  });

  it('is never assigned in revision direct', async () => {
    const direct = await startService({ INTERFACE_REVISION: 'direct', ADMIN_PIDS: 'night.keeper@pid' });
    const browser = openBrowser(direct);
    await signIn(direct, browser, { ...somebody(), name: 'Night Keeper' });
    const { handle, roles } = (await (await browser.fetch('/v1/auth/session')).json()) as Record<
      string,
      unknown
    >;
    expect(handle).toMatch(/^night\.keeper.+/);
    expect(roles).toEqual([]);
  });

  it('is logged at startup only if it is unclaimed', async () => {
    await newAdmin(target, 'keyholder');
    const { handle } = await newMember(target);
    const before = target.log().length;
    await target.restart({ ADMIN_PIDS: `night.keeper@pid, keyholder@pid, ${handle}@pid` });
    await target.request('/healthz');
    const line = () =>
      target
        .log()
        .slice(before)
        .find((text) => text.includes('admin.unclaimed'));
    await expect.poll(line).toBeDefined();
    expect(JSON.parse(line() ?? '')).toMatchObject({ level: 'warn', pids: ['night.keeper@pid'] });
  });
});
