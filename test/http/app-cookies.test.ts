import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { approved, newPayStage, type PayStage } from '../support/approvals.ts';
import { newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useService } from '../support/service.ts';
import { appSignIn } from '../support/token.ts';

const target = useService();

const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, 'x');
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
/** OAuth clients authenticate with their request, and cookies are ignored there. */
const isForClients = ({ openToClients, takesForms }: Endpoint) => Boolean(openToClients ?? takesForms);

/** The endpoints that an app's page may call with its visitor's cookies. */
const open = [
  'GET /v1/auth/session',
  'GET /v1/fiat/transfers/inquiry/:id',
  'POST /v1/fiat/transfers/confirm',
  'POST /v1/fiat/transfers/inquiry',
  'POST /v1/fiat/transfers/inquiry/:id/cancel',
  'POST /v1/popup/requests',
  'POST /v1/popup/requests/:id/cancel',
  'POST /v1/popup/requests/:id/poll',
];

/** Every row that a stranger's page must not change, as text. */
async function everyRow(): Promise<string> {
  const tables = await target.rows<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'
      AND name NOT IN ('d1_migrations', 'jobs', 'signing_keys') ORDER BY name`,
  );
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(name, await target.rows(`SELECT * FROM "${name}"`));
  return JSON.stringify(rows);
}

/** Every cookie in the payer's browser, on every path, as sent by a page on a sibling host. */
async function asPage({ person, origin, app }: PayStage, named: boolean) {
  const cookie = await person.browser.cookies('/v1/auth/refresh');
  return { Cookie: `${cookie}`, Origin: origin, ...(named ? { 'X-App-Id': app.id } : {}) };
}

const inquiryOf = async (stage: PayStage, to: string, amount = 1) => {
  const answer = await stage.call('/v1/fiat/transfers/inquiry', { to, amount });
  return { code: answer.headers.get('X-Error-Code'), body: (await answer.json()) as Record<string, unknown> };
};

describe('a page of a third-party app with its visitor’s cookies', () => {
  it('can use only the popup, inquiry and session endpoints [D-89]', async () => {
    expect(
      endpoints
        .filter(({ openToApps }) => openToApps === 'any')
        .map(nameOf)
        .sort(),
    ).toEqual(open);
    const stage = await newPayStage(target);
    const headers = await asPage(stage, true);
    const before = await everyRow();
    for (const endpoint of endpoints.filter((one) => !isForClients(one) && !open.includes(nameOf(one)))) {
      const { method } = endpoint;
      const answer = await target.request(pathOf(endpoint), { method, headers });
      const code = answer.headers.get('X-Error-Code');
      expect([nameOf(endpoint), answer.status, code?.startsWith('origin_not_')]).toEqual([
        nameOf(endpoint),
        403,
        true,
      ]);
      expect(answer.headers.getSetCookie(), nameOf(endpoint)).toEqual([]);
    }
    expect(await everyRow()).toBe(before);
  });

  it('is treated as anonymous unless the page passes the app’s id [D-89]', async () => {
    const stage = await newPayStage(target);
    const headers = await asPage(stage, false);
    const { Cookie: _, ...without } = headers;
    const before = await everyRow();
    for (const endpoint of endpoints.filter((one) => !isForClients(one))) {
      const { method } = endpoint;
      const ask = async (sent: Record<string, string>) => {
        const answer = await target.request(pathOf(endpoint), { method, headers: sent });
        expect(answer.headers.get('Access-Control-Allow-Credentials'), nameOf(endpoint)).toBeNull();
        return [nameOf(endpoint), answer.status, answer.headers.get('X-Error-Code')];
      };
      expect(await ask(headers)).toEqual(await ask(without));
    }
    expect(await everyRow()).toBe(before);
  });

  it('learns nothing about the payer from an inquiry without a grant [D-89]', async () => {
    const stage = await newPayStage(target);
    const { person, shop } = stage;
    const poor = await inquiryOf(stage, `${shop.handle}@pid`, 90_000_000);
    const rich = await inquiryOf(stage, `${shop.handle}@pid`);
    for (const { body } of [poor, rich]) {
      expect(body).toMatchObject({ from: null, sufficientFunds: null, requiresApproval: true });
      expect(JSON.stringify(body)).not.toContain(person.handle);
    }
    const read = await person.browser.fetch(`/v1/fiat/transfers/inquiry/${rich.body['id']}`, {
      headers: await asPage(stage, true),
    });
    expect(await read.json()).toMatchObject({ from: null, sufficientFunds: null });
    // Before an approval exists, a confirmation returns the same for any wallet.
    for (const { body } of [poor, rich]) {
      const answer = await stage.call('/v1/fiat/transfers/confirm', { inquiryId: body['id'] });
      expect(answer.headers.get('X-Error-Code')).toBe('approval_required');
    }
  });

  it('pays only with an approval, never within a grant’s limits [D-89]', async () => {
    const stage = await newPayStage(target);
    const { person, shop } = stage;
    const token = (await appSignIn(stage, { scope: 'openid fiat:transfer' })).access_token;
    await target.rows('UPDATE grants SET per_transfer = 9000 WHERE handle = ?', [person.handle]);
    expect(await stage.inquire()).toMatchObject({ requiresApproval: true, from: `${person.handle}@pid` });
    expect((await (await approved(stage)).confirm()).status).toBe(200);
    const { headers, ...init } = json('POST', { to: `${shop.handle}@pid`, amount: 1 });
    const byToken = await target.request('/v1/fiat/transfers/inquiry', {
      ...init,
      headers: { ...headers, Authorization: `Bearer ${token}` },
    });
    const { id, requiresApproval } = (await byToken.json()) as Record<string, unknown>;
    expect(requiresApproval).toBe(false);
    const answer = await stage.call('/v1/fiat/transfers/confirm', { inquiryId: id });
    expect(answer.headers.get('X-Error-Code')).toBe('approval_required');
  });

  it('reads the session only under a live grant, limited to its scopes [D-89]', async () => {
    const stage = await newPayStage(target);
    const { app, person } = stage;
    const headers = await asPage(stage, true);
    const read = async () => {
      const answer = await target.request('/v1/auth/session', { headers });
      return [
        answer.headers.get('X-Error-Code') ?? answer.status,
        (await answer.json()) as Record<string, unknown>,
      ] as const;
    };
    expect((await read())[0]).toBe('origin_not_first_party');
    const grant = await insertGrant(target, app.id, person.handle, ['fiat:transfer']);
    expect((await read())[0]).toBe('missing_scope');
    const may = (scopes: string[]) =>
      target.rows('UPDATE grants SET scopes = ? WHERE id = ?', [JSON.stringify(scopes), grant]);
    await may(['openid']);
    const { handle } = person;
    const named = { pid: `${handle}@pid`, handle, roles: [] };
    const [status, bare] = await read();
    expect([status, bare]).toEqual([200, expect.objectContaining(named)]);
    expect(bare['profile']).toEqual({ displayName: handle, locale: null });
    await may(['openid', 'profile']);
    const own = (await (await person.browser.fetch('/v1/auth/session')).json()) as {
      profile: unknown;
      session: { id: string };
    };
    const [, profiled] = await read();
    expect(profiled).toMatchObject({ ...named, profile: own.profile });
    expect(JSON.stringify(profiled)).not.toContain(own.session.id);
    await target.rows(`UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE id = ?`, [grant]);
    expect((await read())[0]).toBe('origin_not_first_party');
  });

  it('can register a popup, which reveals nothing about its visitor', async () => {
    const { call } = await newPayStage(target);
    const { id, verifier, challenge } = makeChannel();
    expect((await call('/v1/popup/requests', { id, kind: 'login', challenge })).status).toBe(200);
    const polled = await call(`/v1/popup/requests/${id}/poll`, { verifier });
    expect(Object.keys((await polled.json()) as object).sort()).toEqual([
      'closed',
      'expiresAt',
      'kind',
      'openerLost',
      'reason',
      'seversOpener',
      'status',
    ]);
  });
});

it('a 403 to an app’s page explains the alternative to cookies', async () => {
  const stage = await newPayStage(target);
  const other = await newApp(stage.shop.browser, { allowedOrigins: [stage.origin] });
  await target.advance(61);
  const { headers, ...init } = json('POST', {});
  const answer = await stage.person.browser.fetch('/v1/auth/refresh', {
    ...init,
    headers: { ...headers, Origin: stage.origin, 'X-App-Id': other.id },
  });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(stage.origin);
  expect(((await answer.json()) as { message: string }).message).toBe(
    'Cookies are not accepted on pages of this app: use its access token, or ask the operator to mark the app first-party',
  );
});
