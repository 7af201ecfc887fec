import { describe, expect, it } from 'vitest';
import type { Page } from '../../checks/playwright.ts';
import { startEngine } from '../support/engines.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useStage } from '../support/popup-stage.ts';

const stage = useStage();

/** An app owned by the stage's person. */
interface App {
  readonly appId: string;
  readonly secret: string | null;
  readonly origin: string;
}
let count = 0;

/** Registers the app, and lets the person allow two scopes. */
async function newUsedApp(type: string, redirectHost?: string): Promise<App> {
  const { hosts, app } = stage;
  // The apps of an origin are cached for a minute, so each app has its own origin.
  count += 1;
  const host = `used-${count}`;
  await stage.member(`tokens-${count}`);
  const origin = hosts.app(host, '');
  const redirectUri = hosts.app(redirectHost ?? host, '/return');
  const made = await app.evaluate(
    async ([service, fields]) => {
      const answer = await fetch(`${service}/v1/apps`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'Content-Type': 'application/json' },
        body: fields as string,
      });
      return (await answer.json()) as { id: string; secret: { value: string } | null };
    },
    [
      hosts.service,
      JSON.stringify({
        name: 'Corner Shop',
        type,
        redirectUris: [redirectUri],
        allowedOrigins: [origin],
        scopes: ['openid', 'profile', 'offline_access'],
      }),
    ],
  );
  const page = await stage.open(
    `${hosts.service}/v1/auth/authorize?${new URLSearchParams({
      client_id: made.id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid profile offline_access',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`,
  );
  await page.locator('[value=allow]').click();
  await page.waitForURL(/code=/);
  await page.close();
  return { appId: made.id, secret: made.secret?.value ?? null, origin };
}

/** A page of the app with a button that requests tokens, or the code for its back end. */
function openApp({ appId, secret, origin }: App, coop = ''): Promise<Page> {
  return stage.open(`${origin}/raw?tokens=${appId}&coop=${coop}${secret === null ? '' : '&code'}`);
}

/** Redeems a code like an app's back end, or like its page without a secret. */
function exchange({ appId, secret, origin }: App, subject_token: string): Promise<Response> {
  const body = { client_id: appId, subject_token, subject_token_type: 'urn:pid:token-type:popup-request' };
  return fetch(`${stage.hosts.local}/v1/auth/exchange`, {
    method: 'POST',
    headers: secret === null ? { Origin: origin } : {},
    body: new URLSearchParams({ ...body, ...(secret !== null && { client_secret: secret }) }),
  });
}

async function press(popup: Page): Promise<void> {
  await popup.getByText('see your PID').waitFor();
  await popup.getByRole('button', { name: /^Continue as/ }).click();
}

describe.each(['spa', 'web'])('tokens for an app of type %s', (type) => {
  it('cannot be obtained by a program that forges the origin after the person clicks a single link [D-86]', async () => {
    const app = await newUsedApp(type);
    const { local } = stage.hosts;
    const { id, verifier, challenge } = makeChannel();
    const call = (path: string, body: object) =>
      fetch(local + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: app.origin, 'X-App-Id': app.appId },
        body: JSON.stringify(body),
      });
    const asked = await call('/v1/popup/requests', { id, kind: 'login', challenge, scope: 'openid' });
    expect(asked.status).toBe(200);
    // The attacker's own browser also waits on a page of the app.
    const engine = await startEngine.Chromium([]);
    try {
      const attacker = await engine.person();
      await attacker.open(`${app.origin}/raw`);
      const victim = await stage.open(`${stage.hosts.service}/popup/login?c=${id}`);
      await press(victim);
      await victim.waitForURL(/\/return/);
      for (const subject of [`${id}.${verifier}`, `${id}.${verifier}.${verifier}`])
        expect((await exchange(app, subject)).status).toBe(400);
    } finally {
      await engine.stop();
    }
  });

  for (const coop of ['', 'same-origin-allow-popups', 'same-origin']) {
    it(`reach the app's page under the COOP "${coop}", with the scopes it requested`, async () => {
      const app = await newUsedApp(type);
      const page = await openApp(app, coop);
      const popup = await stage.popup(page);
      await Promise.all([popup.waitForEvent('close'), press(popup)]);
      const { value } = (await stage.outcome(page, 0, 30_000)) as { value: { code?: string } };
      const tokens = value.code === undefined ? value : await (await exchange(app, value.code)).json();
      expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid' });
      expect(tokens).not.toHaveProperty('refresh_token');
    });
  }
});

describe('tokens for an app', () => {
  it('never reach a page of another origin that opened the popup', async () => {
    const app = await newUsedApp('spa');
    const { id, challenge } = makeChannel();
    await fetch(`${stage.hosts.local}/v1/popup/requests`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: app.origin, 'X-App-Id': app.appId },
      body: JSON.stringify({ id, kind: 'login', challenge, scope: 'openid' }),
    });
    const evil = await stage.open(stage.hosts.app('evil.other', '/raw'));
    const address = `${stage.hosts.service}/popup/login?c=${id}`;
    await evil.evaluate(
      `window.heard = []; addEventListener('message', ({ data }) => heard.push(data)); act.onclick = () => open('${address}')`,
    );
    const popup = await stage.window(evil);
    await Promise.all([popup.waitForEvent('close'), press(popup)]);
    expect(await evil.evaluate('heard')).toEqual([]);
  });

  it('never appear in storage or in messages between windows, and neither does the PID [S-16]', async () => {
    const page = await openApp(await newUsedApp('spa'));
    await page.evaluate(`window.heard = [];
      addEventListener('message', ({ data }) => heard.push(data));
      new BroadcastChannel('pid_popup').onmessage = ({ data }) => heard.push(data);`);
    const popup = await stage.popup(page);
    await Promise.all([popup.waitForEvent('close'), press(popup)]);
    const { value } = (await stage.outcome(page)) as unknown as { value: { access_token: string } };
    const heard = await page.evaluate<object[]>('heard');
    expect(heard).not.toEqual([]);
    const fields = new Set(heard.flatMap((message) => Object.keys(message)));
    expect([...fields].sort()).toEqual(['c', 'pid', 'result', 't']);
    const kept = await page.evaluate('[heard, {...localStorage}, {...sessionStorage}, document.cookie]');
    for (const secret of [value.access_token, '@pid', `tokens-${count}`])
      expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it('are reported as undelivered when the opener is lost and no redirect URI has the same origin', async () => {
    const app = await newUsedApp('spa', 'app');
    const page = await openApp(app, 'same-origin');
    const popup = await stage.popup(page);
    await press(popup);
    await popup.getByText('The app did not get your sign-in').waitFor();
    expect(await stage.outcome(page, 0, 40_000)).toMatchObject({
      error: { message: 'The popup could not return to this page' },
    });
  }, 60_000);
});
