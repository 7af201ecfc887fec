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
