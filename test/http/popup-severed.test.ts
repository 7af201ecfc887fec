import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type Member, newMember } from '../support/people.ts';
import { beat, type Opener, openPopup, registered, signInInPopup } from '../support/popup.ts';
import { useSharedService } from '../support/service.ts';

let member: Member;
const target = useSharedService();
beforeAll(async () => {
  member = await newMember(target);
});

const dayMs = 86_400_000;

interface Visit {
  /** True if the opener polls while the popup is away, as it does when the window seems closed. */
  readonly asks?: boolean;
  readonly signsIn?: boolean;
  /** The provider to which the popup reports leaving. */
  readonly away?: string;
  /** True if the popup leaves a second time, without a poll. */
  readonly leavesAgain?: boolean;
}

/** A popup that left for a provider and reports that it returned without its opener. */
async function visit({
  asks = true,
  signsIn = true,
  away = 'idp',
  leavesAgain = false,
}: Visit = {}): Promise<Opener> {
  const opener = await registered(target);
  const browser = signsIn ? openBrowser(target) : member.browser;
  await openPopup(browser, opener);
  await beat(target, browser, opener.id, { away });
  if (asks) await opener.poll();
  if (leavesAgain) await beat(target, browser, opener.id, { away });
  if (signsIn) await signInInPopup(target, browser, opener.id, member.claims);
  const answer = await beat(target, browser, opener.id, { openerLost: true, severed: true });
  expect(answer.status).toBe(204);
  return opener;
}

/** Returns whether the next opener learns that the provider severs popups, while its own popup is there. */
async function heard(away: string): Promise<unknown> {
  const opener = await registered(target);
  const browser = openBrowser(target);
  await openPopup(browser, opener);
  expect(await opener.poll()).toMatchObject({ seversOpener: false });
  await beat(target, browser, opener.id, { away });
  return (await opener.poll())['seversOpener'];
}

describe('a provider that severs popups from their openers', () => {
  it('is recorded only for a popup with a sign-in there and a live opener', async () => {
    // The member's own session is live, and older than every request below.
    await target.advance(5);
    await visit({ asks: false });
    await visit({ leavesAgain: true });
    await visit({ signsIn: false });
    await visit({ away: 'google' });
    expect([await heard('idp'), await heard('google')]).toEqual([false, false]);
  });

  it('is remembered for a week after severing one popup, without affecting other providers [case 5]', async () => {
    expect(await heard('idp')).toBe(false);
    await visit();
    expect(await heard('idp')).toBe(true);
    expect(await heard('google')).toBe(false);
    await target.advance((6 * dayMs) / 1000);
    expect(await heard('idp')).toBe(true);
    await visit();
    await target.advance((6 * dayMs) / 1000);
    expect(await heard('idp')).toBe(true);
    await target.advance((2 * dayMs) / 1000);
    expect(await heard('idp')).toBe(false);
  });

  it('is also recorded by a sign-in after its opener has given up', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    await beat(target, browser, opener.id, { away: 'idp' });
    await opener.poll();
    await opener.ask('cancel');
    await signInInPopup(target, browser, opener.id, member.claims);
    await beat(target, browser, opener.id, { openerLost: true, severed: true });
    expect(await heard('idp')).toBe(true);
    await target.advance((8 * dayMs) / 1000);
  });
});
