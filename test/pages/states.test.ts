import { describe, expect, it } from 'vitest';
import { sandboxProvider, useSharedService } from '../support/service.ts';

const target = useSharedService(sandboxProvider);

/** A state of the gallery without its head. */
async function stateOf(name: string): Promise<string> {
  const page = await (await target.request(`/dev/pages/${name}`)).text();
  return page.slice(page.indexOf('<body'));
}

/** The text of a state, each element on its own line. */
async function textOf(name: string): Promise<string> {
  const text = (await stateOf(name)).replace(/<script.*?<\/script>/gs, '').replace(/<[^>]+>/g, '\n');
  return text.replaceAll('\u00a0', ' ').replace(/\s*\n\s*/g, '\n');
}

describe('a consent page', () => {
  it('lists the permissions about money first', async () => {
    const everything = await textOf('authorize-everything');
    const places = ['make payments', 'refund payments', 'start top-ups', 'your email', 'see your PID'];
    expect(places.map((text) => everything.indexOf(text))).toEqual(
      places.map((text) => everything.indexOf(text)).toSorted((one, other) => one - other),
    );
    expect(everything).not.toContain('\nContinue\n');
  });

  it('says “Continue” if the app only learns who the person is', async () => {
    expect(await textOf('authorize')).toMatch(/\nSign in to .*\nContinue\nCancel\n/s);
    expect(await textOf('authorize-logo')).toContain('\nAllow\nDeny\n');
  });

  it('shows the permissions like the list of allowed apps', async () => {
    expect(await stateOf('account-allowed')).toMatch(/<li class="icon"><svg.*?<span>ask you for payments/s);
  });
});

describe('the page of a limit', () => {
  it('counts seconds, and says when a longer wait ends', async () => {
    expect(await textOf('error-429')).toContain('\nTry again in 42 seconds.\n');
    expect(await textOf('error-429-form')).toContain('\nTry again in 5 minutes.\n');
    expect(await stateOf('error-429-form')).toContain('data-text="Try again at {at}."');
  });

  it('says which code works after too many mailed codes', async () => {
    expect(await textOf('error-429-codes')).toContain('use the newest one');
    expect(await textOf('error-429')).not.toContain('newest');
  });
});

describe('a receipt', () => {
  it('starts with the way back, and has no main button', async () => {
    const receipt = await stateOf('account-movement');
    expect(receipt.indexOf('class="back"')).toBeLessThan(receipt.indexOf('<h1'));
    expect(receipt).not.toContain('class="button main');
    expect(await stateOf('account-send-sent')).toContain('class="button main" href="/account/wallet"');
  });

  it('shows the reference below its name, on a line of its own', async () => {
    expect(await stateOf('account-movement')).toMatch(
      /<dt>Reference<\/dt><dd class="spread"><span class="mono"/,
    );
  });
});

describe('a payment to review', () => {
  it('shows the balance that it leaves, if it can be sent', async () => {
    expect(await textOf('account-send-confirm')).toContain('\nBalance after\nIDR 12,093,428\n');
    for (const state of ['account-send-too-little', 'account-send-gone'])
      expect(await textOf(state)).not.toContain('Balance after');
  });
});

describe('a top-up', () => {
  it.each([
    ['pending', 'note', 'You pay', 'Your wallet receives'],
    ['credited', 'note', 'You paid', 'Your wallet received'],
    ['reversed', 'warning', 'You paid', 'Your wallet received'],
    ['review', 'warning', 'Amount', null],
    ['failed', 'warning', 'Amount', null],
    ['expired', 'note', 'Amount', null],
  ])('that is %s says only what is still true', async (status, look, pays, arrives) => {
    const page = await stateOf(`account-deposit-${status}`);
    expect(page).toContain(`<div class="${look} icon">`);
    expect(page).toContain(`<dt>${pays}</dt>`);
    expect(/Your wallet receive[sd]/.exec(page)?.[0] ?? null).toBe(arrives);
  });

  it('has the colour of its state in the list', async () => {
    const list = await stateOf('account-deposits');
    const looks = [...list.matchAll(/<span class="(badge[ \w]*)">([^<]*)</g)].map(([, look, text]) => [
      text,
      look,
    ]);
    expect(Object.fromEntries(looks)).toMatchObject({
      'In your wallet': 'badge',
      'Waiting for your payment': 'badge open',
      Refunded: 'badge warn',
      'Under review': 'badge warn',
    });
  });
});

describe('an amount', () => {
  it('has separators where it can be changed, and its bounds in words', async () => {
    expect(await stateOf('account-profile')).toContain('value="500,000"');
    expect(await textOf('app-fees')).toContain('0.7%, at least IDR 1,000, at most IDR 25,000\n');
  });
});
