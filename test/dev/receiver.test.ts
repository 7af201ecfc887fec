import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { mayCall } from '../../src/features/app/address.ts';
import type { App } from '../../src/features/app/schema.ts';
import type { TestResult, Webhook } from '../../src/features/webhook/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { production } from '../support/production.ts';
import { signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, useSharedService } from '../support/service.ts';
import { testDefaults } from '../support/target.ts';

interface Delivery {
  readonly id: string;
  readonly body: string;
  readonly appId: string | null;
}

async function read<Body>(browser: Browser, path: string): Promise<Body> {
  return (await (await browser.fetch(path)).json()) as Body;
}

const deliveriesOf = async (browser: Browser) =>
  (await read<{ data: Delivery[] }>(browser, '/dev/webhooks.json')).data;

async function test(browser: Browser, id: string): Promise<TestResult> {
  const answer = await browser.fetch(`/v1/apps/${id}/webhook/test`, { method: 'POST' });
  return (await answer.json()) as TestResult;
}

describe('the demo app', () => {
  const target = useSharedService(sandboxProvider);

  it('is created once and sends its webhooks to the sandbox', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) await target.request('/dev/seed', { method: 'POST' });
    const browser = openBrowser(target);
    await signInAtSandbox(browser, { user: 'ayu' });
    const { data } = await read<Page<App>>(browser, '/v1/apps');
    expect(data.map(({ name }) => name)).toEqual(['Toko Demo']);
    const id = data[0]?.id ?? '';
    const webhook = await read<Webhook>(browser, `/v1/apps/${id}/webhook`);
    expect(webhook).toMatchObject({ url: `${target.origin}/dev/webhooks`, status: 'active' });
    expect(await test(browser, id)).toMatchObject({ status: 204, error: null });
    const [newest] = await deliveriesOf(browser);
    expect(newest).toMatchObject({ appId: id, body: expect.stringContaining('"ping"') });
    const page = await (await browser.navigate('/dev/webhooks')).text();
    expect(page).toContain('The signature holds');
    expect(page).toContain(newest?.id);
  });
});

describe('the webhook receiver', () => {
  const target = useSharedService();

  const send = (headers: Record<string, string>, body = '{}') => {
    const { headers: kind, ...init } = json('POST', {});
    return target.request('/dev/webhooks', { ...init, body, headers: { ...kind, ...headers } });
  };

  it('distinguishes a valid signature from an invalid one', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const url = `${target.origin}/dev/webhooks`;
    await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }));
    expect((await test(browser, id)).status).toBe(204);
    const seconds = String(Math.floor(target.now() / 1000));
    const signed = { 'webhook-id': 'evt_1', 'webhook-timestamp': seconds, 'webhook-signature': 'v1,AAAA' };
    for (const headers of [{}, signed, { ...signed, 'webhook-timestamp': 'now' }])
      expect((await send(headers)).status).toBe(401);
    const [newest] = await deliveriesOf(browser);
    expect(newest?.appId).toBeNull();
    expect(await (await browser.navigate('/dev/webhooks')).text()).toContain('The signature does not hold');
  });

  it('keeps only the 50 newest requests', async () => {
    for (let count = 0; count < 52; count += 1) await send({ 'webhook-id': `evt_${count}` });
    const kept = await deliveriesOf(openBrowser(target));
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([50, 'evt_51', 'evt_2']);
  });

  it('is the only address on the service that a webhook may use, and only in development', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    for (const end of ['/', '/v1/apps', '/dev/webhooks/', '/dev/webhooks?x', '/dev/mail']) {
      const url = `${target.origin}${end}`;
      const { status } = await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }));
      expect([end, status]).toEqual([end, 400]);
    }
    const config = parseConfig({ ...testDefaults, ...production });
    expect(mayCall({ config } as Deps, `${config.origin}/dev/webhooks`)).toBe(false);
  });
});
