import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../support/engines.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useStage } from '../support/popup-stage.ts';

const stage = useStage();

/** An app without a secret, which the person of the stage owns. */
interface Spa {
  readonly appId: string;
  readonly origin: string;
}
let count = 0;

/** Registers the app, and has its person allow it two scopes. */
async function newSpa(redirectHost?: string): Promise<Spa> {
  const { hosts, app } = stage;
  // The apps of an origin are remembered for a minute, so each has its own.
  count += 1;
  const host = `spa-${count}`;
  await stage.member(`tokens-${count}`);
  const origin = hosts.app(host, '');
  const redirectUri = hosts.app(redirectHost ?? host, '/raw?return');
  const appId = await app.evaluate(
    async ([service, fields]) => {
      const answer = await fetch(`${service}/v1/apps`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'Content-Type': 'application/json' },
        body: fields as string,
      });
      return ((await answer.json()) as { id: string }).id;
    },
    [
      hosts.service,
      JSON.stringify({
        name: 'Corner Shop',
        type: 'spa',
        redirectUris: [redirectUri],
        allowedOrigins: [origin],
        scopes: ['openid', 'profile', 'offline_access'],
      }),
    ],
  );
  const page = await stage.open(
    `${hosts.service}/v1/auth/authorize?${new URLSearchParams({
      client_id: appId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid profile offline_access',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`,
  );
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/code=/);
  await page.close();
  return { appId, origin };
}

/** A page of the app whose button asks for tokens. */
function openApp({ appId, origin }: Spa, coop = ''): Promise<Page> {
  return stage.open(`${origin}/raw?tokens=${appId}&coop=${coop}`);
}

async function press(popup: Page): Promise<void> {
  await popup.getByText('see your PID').waitFor();
  await popup.getByRole('button', { name: /^Continue as/ }).click();
}

describe('Tokens for an app without a secret', () => {
  it('are no link and click away for a program that forges the origin [D-86]', async () => {
    const spa = await newSpa();
    const { local } = stage.hosts;
    const { id, verifier, challenge } = makeChannel();
    const call = (path: string, body: object) =>
      fetch(local + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: spa.origin, 'X-App-Id': spa.appId },
        body: JSON.stringify(body),
      });
    const asked = await call('/v1/popup/requests', { id, kind: 'login', challenge, scope: 'openid' });
    expect(asked.status).toBe(200);
    // The attacker's own browser waits on a page of the app, too.
    const engine = await startEngine.Chromium([]);
    try {
      const attacker = await engine.person();
      await attacker.open(`${spa.origin}/raw`);
      const victim = await stage.open(`${stage.hosts.service}/popup/login?c=${id}`);
      await press(victim);
      await victim.waitForURL(/\/raw\?return/);
      const subject_token_type = 'urn:pid:token-type:popup-request';
      for (const subject_token of [`${id}.${verifier}`, `${id}.${verifier}.${verifier}`]) {
        const body = { client_id: spa.appId, subject_token, subject_token_type };
        expect((await call('/v1/auth/exchange', body)).status).toBe(400);
      }
    } finally {
      await engine.stop();
    }
  });

  it('reach no page of another origin that opened the popup', async () => {
    const spa = await newSpa();
    const { id, challenge } = makeChannel();
    await fetch(`${stage.hosts.local}/v1/popup/requests`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: spa.origin, 'X-App-Id': spa.appId },
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

  for (const coop of ['', 'same-origin-allow-popups', 'same-origin']) {
    it(`reach the app's page under the COOP "${coop}", with the scopes that it asked for`, async () => {
      const spa = await newSpa();
      const page = await openApp(spa, coop);
      const popup = await stage.popup(page);
      await Promise.all([popup.waitForEvent('close'), press(popup)]);
      const outcome = await stage.outcome(page, 0, 30_000);
      expect(outcome).toMatchObject({ value: { token_type: 'Bearer', scope: 'openid' } });
      expect(outcome.value).not.toHaveProperty('refresh_token');
    });
  }

  it('end in a clear state when the opener is lost and no redirect URI is on its origin', async () => {
    const spa = await newSpa('app');
    const page = await openApp(spa, 'same-origin');
    const popup = await stage.popup(page);
    await press(popup);
    await popup.getByText('The app did not get your sign-in').waitFor();
    expect(await stage.outcome(page, 0, 40_000)).toMatchObject({
      error: { message: 'The popup could not return to this page' },
    });
  }, 60_000);
});
