import { describe, expect, it, onTestFinished } from 'vitest';
import type { Grant } from '../../src/features/grant/schema.ts';
import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { accountPaths, grantPath } from '../../src/lib/page-paths.ts';
import { approvalOf, newPayStage } from '../support/approvals.ts';
import { markChecked } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { answerIn, authorizeApp, authorizeUrl, decideOn, ledTo } from '../support/oauth.ts';
import { production } from '../support/production.ts';
import { useService } from '../support/service.ts';
import { exchange, newCode, newRelation, type Relation } from '../support/token.ts';

const target = useService();

/** A host owned by someone else, which anyone may list as their app's address, and one that the owner controls. */
const known = 'https://bank.example.com';
const evil = 'https://evil.example.net';

const twoFaced = () =>
  newRelation(target, { redirectUris: [`${known}/`, `${evil}/callback`], allowedOrigins: [known, evil] });

const open = ({ app, person }: Relation, redirectUri: string, changes: Record<string, string> = {}) =>
  person.browser.navigate(authorizeUrl(app, { redirect_uri: redirectUri, ...changes }));
const answerOf = (page: Response) => answerIn(page.headers.get('Location'));

describe('an unchecked app', () => {
  it('needs new consent before a code goes to another host [S-04]', async () => {
    const relation = await twoFaced();
    const { app, person } = relation;
    await authorizeApp(target, person.browser, app);
    expect(answerOf(await open(relation, `${known}/`))).toHaveProperty('code');
    const silent = answerOf(await open(relation, `${evil}/callback`, { prompt: 'none' }));
    expect(silent).toMatchObject({ to: `${evil}/callback`, error: 'login_required' });
    const page = await open(relation, `${evil}/callback`);
    expect(await page.clone().text()).toContain(`<strong>${evil}</strong>`);
    expect(answerIn(await ledTo(await decideOn(target, person.browser, page)))).toHaveProperty('code');
    for (const uri of [`${evil}/callback`, `${known}/`])
      expect(answerOf(await open(relation, uri, { prompt: 'none' }))).toHaveProperty('code');
  });

  it('is shown to the person with the hosts they have allowed [S-04]', async () => {
    const relation = await twoFaced();
    const { app, person } = relation;
    const read = async () => {
      const { data } = (await (await person.browser.fetch('/v1/grants')).json()) as { data: Grant[] };
      return data.map(({ id, hosts }) => ({ id, hosts }));
    };
    await authorizeApp(target, person.browser, app, { scope: 'openid profile' });
    expect(await read()).toEqual([{ id: expect.any(String), hosts: ['bank.example.com'] }]);
    await decideOn(target, person.browser, await open(relation, `${evil}/callback`));
    const [grant] = await read();
    expect(grant?.hosts).toEqual(['bank.example.com', 'evil.example.net']);
    for (const path of [accountPaths.apps, grantPath(grant?.id ?? '')]) {
      for (const [lang, text] of [
        ['en', 'Allowed at'],
        ['id', 'Diizinkan di'],
      ]) {
        const page = await person.browser.navigate(`${path}?ui_locales=${lang}`);
        expect(await page.text()).toContain(`${text} bank.example.com, evil.example.net`);
      }
    }
  });

  it('is limited on each host to the permissions granted for that host [S-04]', async () => {
    const relation = await twoFaced();
    const { app, person } = relation;
    const ask = (host: string, scope: string, prompt: string | null = null) =>
      person.browser.navigate(authorizeUrl(app, { redirect_uri: host, scope, prompt }));
    const allow = async (page: Response) =>
      expect(answerIn(await ledTo(await decideOn(target, person.browser, page)))).toHaveProperty('code');
    await allow(await ask(`${evil}/callback`, 'openid'));
    await allow(await ask(`${known}/`, 'openid profile'));
    const silent = answerOf(await ask(`${evil}/callback`, 'openid profile', 'none'));
    expect(silent).toMatchObject({ error: 'consent_required' });
    expect(answerOf(await ask(`${evil}/callback`, 'openid', 'none'))).toHaveProperty('code');
    await allow(await ask(`${evil}/callback`, 'openid profile'));
    expect(answerOf(await ask(`${evil}/callback`, 'openid profile', 'none'))).toHaveProperty('code');
  });

  it('needs only one consent for all ports of a host', async () => {
    const relation = await newRelation(target, { redirectUris: ['http://127.0.0.1/callback'] });
    await authorizeApp(target, relation.person.browser, relation.app);
    const answer = await open(relation, 'http://127.0.0.1:4567/callback', { prompt: 'none' });
    expect(answerOf(answer)).toMatchObject({ to: 'http://127.0.0.1:4567/callback' });
    expect(answerOf(answer)).toHaveProperty('code');
  });

  it('is identified by its private-use scheme, not by the host that follows the scheme [S-15]', async () => {
    for (const scheme of ['com.evil.app:', 'https.evil.app:']) {
      const uri = `${scheme}//bank.example.com/callback`;
      const page = await open(await newRelation(target, { type: 'native', redirectUris: [uri] }), uri);
      const text = await page.text();
      expect(text).toContain(`only if you know <strong>${scheme}</strong>`);
      expect(text).not.toContain('bank.example.com');
    }
  });

  it('can read the session only from pages on hosts that the person has allowed [D-89]', async () => {
    const relation = await twoFaced();
    const { app, person } = relation;
    await authorizeApp(target, person.browser, app);
    await target.advance(1);
    const read = async (origin: string) => {
      const headers = { Origin: origin, 'X-App-Id': app.id };
      const answer = await person.browser.fetch('/v1/auth/session', { headers });
      return answer.headers.get('X-Error-Code') ?? answer.status;
    };
    expect([await read(known), await read(evil)]).toEqual([200, 'origin_not_first_party']);
    await markChecked(target, app.id);
    expect(await read(evil)).toBe(200);
  });

  it('can learn the payer’s identity only from pages on hosts that the person has allowed [D-89]', async () => {
    const stage = await newPayStage(target);
    const { app, person, shop, origin } = stage;
    const allowedOrigins = [origin, 'https://other-place.example.net'];
    await person.browser.fetch(`/v1/apps/${app.id}`, json('PATCH', { allowedOrigins }));
    await authorizeApp(target, person.browser, app, { scope: 'openid fiat:transfer' });
    await target.advance(1);
    const payers = allowedOrigins.map(async (Origin) => {
      const body = { to: `${shop.handle}@pid`, amount: 1 };
      const asked = await stage.call('/v1/fiat/transfers/inquiry', body, person.browser, { Origin });
      return ((await asked.json()) as Inquiry).from;
    });
    expect(await Promise.all(payers)).toEqual([`${person.handle}@pid`, null]);
  });

  it('cannot tell from events and logout tokens who has allowed it until it redeems a code [S-15]', async () => {
    const relation = await newRelation(target, {
      redirectUris: ['https://shop.example.com/callback', `${known}/`],
      backchannelLogoutUri: 'https://shop.example.com/logout',
    });
    const { app, person } = relation;
    const pid = `${person.handle}@pid`;
    const end = async (grantId: string) => {
      await person.browser.fetch(`/v1/grants/${grantId}`, { method: 'DELETE' });
      const rows = await target.rows<{ type: string; data: string }>(
        'SELECT type, data FROM webhook_events WHERE app_id = ? AND instr(id, ?) ORDER BY type',
        [app.id, grantId.slice(4)],
      );
      return rows.map(({ type, data }) => [type, JSON.parse(data).pid ?? JSON.parse(data).sub ?? null]);
    };
    const unused = await newCode(relation, { scope: 'openid' });
    expect(await end(unused.grantId)).toEqual([
      ['grant.created', null],
      ['grant.revoked', null],
    ]);
    const used = await newCode(relation, { scope: 'openid' });
    expect((await exchange(relation, used)).status).toBe(200);
    expect(await end(used.grantId)).toEqual([
      ['grant.created', null],
      ['grant.revoked', pid],
      ['logout', pid],
    ]);
    await markChecked(target, app.id);
    const checked = await newCode(relation, { scope: 'openid' });
    expect(await end(checked.grantId)).toEqual([
      ['grant.created', pid],
      ['grant.revoked', pid],
      ['logout', pid],
    ]);
  });

  it('cannot show another origin if its back end requests an approval [S-15]', async () => {
    const stage = await newPayStage(target);
    const own = stage.app.allowedOrigins;
    const listed = await stage.person.browser.fetch(
      `/v1/apps/${stage.app.id}`,
      json('PATCH', { allowedOrigins: [...own, known, 'http://localhost:5173'] }),
    );
    expect(listed.status).toBe(200);
    const { id } = await stage.inquire();
    const forged = approvalOf(stage, id);
    const answer = await forged.registerByBackEnd({ origin: known });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([403, 'origin_not_allowed']);
    expect((await approvalOf(stage, id).register()).status).toBe(200);
    const local = await approvalOf(stage, id).registerByBackEnd({ origin: 'http://localhost:5173' });
    expect(local.status).toBe(200);
    await markChecked(target, stage.app.id);
    expect((await approvalOf(stage, id).registerByBackEnd()).status).toBe(200);
  });

  it('can show an origin passed by its back end after redeeming the payer’s code on that host [S-15]', async () => {
    const stage = await newPayStage(target);
    const { app, person, origin } = stage;
    const { redirectUris } = app;
    await person.browser.fetch(
      `/v1/apps/${app.id}`,
      json('PATCH', { allowedOrigins: [origin, known], redirectUris: [...redirectUris, `${known}/`] }),
    );
    const { id } = await stage.inquire();
    const ask = async (host: string) =>
      (await approvalOf(stage, id).registerByBackEnd({ origin: host })).status;
    // A person who knows the host allows it, and the code goes to the host's owner.
    await authorizeApp(target, person.browser, app, { scope: 'openid', redirect_uri: `${known}/` });
    const code = await newCode(stage, { scope: 'openid' });
    expect([await ask(known), await ask(origin)]).toEqual([403, 403]);
    expect((await exchange(stage, code)).status).toBe(200);
    expect([await ask(known), await ask(origin)]).toEqual([403, 200]);
  });

  it('learns nothing from a silent request on a host without consent [D-89]', async () => {
    const relation = await newRelation(target, { redirectUris: [`${known}/`, `${evil}/callback`] });
    const { app, person } = relation;
    await authorizeApp(target, person.browser, app);
    const url = authorizeUrl(app, { redirect_uri: `${evil}/callback`, prompt: 'none' });
    const answer = async (browser: Browser) =>
      answerIn((await browser.navigate(url)).headers.get('Location'));
    expect(await answer(person.browser)).toMatchObject(await answer(openBrowser(target)));
  });

  it('cannot show an invented localhost origin passed by its back end [S-15]', async () => {
    const stage = await newPayStage(target);
    const made = ['https://bank.localhost', 'https://bank.example.com.localhost', 'http://localhost:5173'];
    const allowedOrigins = [...stage.app.allowedOrigins, ...made];
    const changes = json('PATCH', { allowedOrigins });
    expect((await stage.person.browser.fetch(`/v1/apps/${stage.app.id}`, changes)).status).toBe(200);
    const { id } = await stage.inquire();
    await target.restart(production);
    onTestFinished(() => target.restart());
    for (const origin of made)
      expect((await approvalOf(stage, id).registerByBackEnd({ origin })).status).toBe(403);
  });
});

it('a checked app needs only one consent for all its hosts', async () => {
  const relation = await twoFaced();
  await markChecked(target, relation.app.id);
  await authorizeApp(target, relation.person.browser, relation.app);
  expect(answerOf(await open(relation, `${evil}/callback`, { prompt: 'none' }))).toHaveProperty('code');
});
