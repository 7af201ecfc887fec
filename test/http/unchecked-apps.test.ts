import { beforeAll, describe, expect, it } from 'vitest';
import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { approvalOf, newPayStage } from '../support/approvals.ts';
import { json, openBrowser } from '../support/browser.ts';
import { balanceOf, newHolder } from '../support/money.ts';
import { answerIn, authorizeUrl, codeChallenge, decideOn, ledTo } from '../support/oauth.ts';
import { newMember } from '../support/people.ts';
import { makeOpener } from '../support/popup.ts';
import { ask, lastPage, press, redeem } from '../support/popup-tokens.ts';
import { startService, useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import { appSignIn, newRelation, post, type Relation, refresh, tokensOf } from '../support/token.ts';

const target = useService({ APPS_MONEY: 'checked' });

const needsCheck =
  'the operator has not checked this app: until then it may not ask for wallet or fiat scopes';
const scopes = ['openid', 'profile', 'offline_access', 'wallet:read', 'fiat:transfer', 'fiat:read'];

const newApp = () => newRelation(target, { scopes });
const check = ({ app }: Relation, at: number | null = 1) =>
  target.rows('UPDATE apps SET checked_at = ? WHERE id = ?', [at, app.id]);

async function checkedApp(): Promise<Relation> {
  const relation = await newApp();
  await check(relation);
  return relation;
}

const open = ({ app, person }: Relation, scope: string, locale = 'en') =>
  person.browser.navigate(authorizeUrl(app, { scope, ui_locales: locale }));
const countOf = async (table: 'grants' | 'app_sessions', { app }: Relation) =>
  (await target.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE app_id = ?`, [app.id]))[0]?.n;

const refused = { error: 'invalid_scope', error_description: needsCheck };

describe('an app that has not been checked', () => {
  let relation: Relation;
  beforeAll(async () => {
    relation = await newApp();
  });

  it.each(['openid wallet:read', 'fiat:transfer', 'openid profile fiat:read'])(
    'cannot request %s, on the page or as JSON [S-15]',
    async (scope) => {
      const answer = await open(relation, scope);
      expect(answerIn(answer.headers.get('Location'))).toMatchObject(refused);
      const { app, person } = relation;
      const asked = await person.browser.fetch(
        '/v1/auth/authorize',
        json('POST', {
          clientId: app.id,
          redirectUri: app.redirectUris[0],
          responseType: 'code',
          scope,
          state: 'state of the app',
          codeChallenge,
          codeChallengeMethod: 'S256',
        }),
      );
      expect(asked.status).toBe(400);
      expect(await asked.json()).toMatchObject({ ...refused, message: [needsCheck] });
    },
  );

  it('may request any scope that is not a money scope, and money scopes only once it is checked [S-15]', async () => {
    const one = await newApp();
    await appSignIn(one, { scope: 'openid profile offline_access' });
    await check(one);
    const tokens = await appSignIn(one, { scope: 'openid wallet:read fiat:transfer' });
    expect(tokens.scope).toBe('openid wallet:read fiat:transfer');
  });

  it('cannot get a money scope for itself [S-15]', async () => {
    const own = (fields: Record<string, string> = {}) =>
      post(relation, '/v1/auth/token', { grant_type: 'client_credentials', ...fields });
    const answer = await own({ scope: 'fiat:read' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject(refused);
    expect(await tokensOf(await own())).not.toHaveProperty('scope');
    const checked = await checkedApp();
    const { scope } = await tokensOf(
      await post(checked, '/v1/auth/token', { grant_type: 'client_credentials' }),
    );
    expect(scope).toBe('fiat:read fiat:transfer');
  });

  it('is paid only with the payer’s approval, even if its owner is the payee [S-22]', async () => {
    const stage = await newPayStage(target);
    const { app, origin, person: owner } = stage;
    const { browser } = await newHolder(target, 1000);
    const before = await balanceOf(target, owner.handle);
    const request = { to: `${owner.handle}@pid`, amount: 500 };
    const asked = await stage.call('/v1/fiat/transfers/inquiry', request, browser);
    const inquiry = (await asked.json()) as Inquiry;
    expect(inquiry).toMatchObject({ from: null, sufficientFunds: null, requiresApproval: true });
    const alone = await stage.call('/v1/fiat/transfers/confirm', { inquiryId: inquiry.id }, browser);
    expect(alone.headers.get('X-Error-Code')).toBe('approval_required');
    const approval = approvalOf(stage, inquiry.id);
    expect((await approval.register({}, browser)).status).toBe(200);
    const page = await (await approval.show(browser)).text();
    for (const text of [origin, app.name, `${owner.handle}@pid`]) expect(page).toContain(text);
    expect((await approval.confirm({}, browser)).headers.get('X-Error-Code')).toBe('approval_required');
    expect((await approval.decide('approved', {}, browser)).status).toBe(303);
    expect((await approval.confirm({}, browser)).status).toBe(200);
    expect((await balanceOf(target, owner.handle)) - before).toBe(500);
    expect(await countOf('grants', stage)).toBe(0);
  });

  it('may request money scopes with APPS_MONEY=anyone', async () => {
    const lenient = await startService({ APPS_MONEY: 'anyone' });
    const one = await newRelation(lenient, { scopes });
    expect((await appSignIn(one, { scope: 'openid wallet:read' })).scope).toBe('openid wallet:read');
  });
});

describe('an app that is unchecked again', () => {
  it('gets neither a grant nor a code from a page that was already open', async () => {
    const relation = await checkedApp();
    const page = await open(relation, 'openid wallet:read');
    expect(page.status).toBe(200);
    await check(relation, null);
    const decided = await decideOn(target, relation.person.browser, page);
    expect(answerIn(await ledTo(decided))).toMatchObject(refused);
    expect([await countOf('grants', relation), await countOf('app_sessions', relation)]).toEqual([0, 0]);
  });

  it('can refresh its sign-ins, but cannot get new ones with money scopes, even in a popup', async () => {
    const relation = await checkedApp();
    const scope = 'openid offline_access wallet:read';
    const first = await appSignIn(relation, { scope });
    await check(relation, null);
    expect((await tokensOf(await refresh(relation, first.refresh_token))).scope).toBe(scope);
    expect(answerIn((await open(relation, scope)).headers.get('Location'))).toMatchObject(refused);

    await target.advance(61);
    const unasked = makeOpener(target, relation.app.allowedOrigins[0]);
    const answer = await unasked.register({ scope }, { 'X-App-Id': relation.app.id });
    const message = ['scope must name scopes that the app may ask for'];
    expect([answer.status, await answer.json()]).toMatchObject([400, { message }]);

    // The app loses its check while the popup is open.
    await check(relation, 1);
    const both = await ask(relation, scope);
    const money = await ask(relation, 'wallet:read');
    await check(relation, null);
    for (const opener of [both, money]) await press(relation, opener);
    const { result } = await lastPage(relation.person.browser, both);
    const redeemed = await tokensOf(await redeem(relation, both, result));
    expect(decodeJwt(redeemed.access_token).payload['scope']).toBe('offline_access openid');
    expect((await tokensOf(await refresh(relation, redeemed.refresh_token))).scope).toBe(
      'offline_access openid',
    );
    const nothing = await redeem(relation, money, (await lastPage(relation.person.browser, money)).result);
    expect([nothing.status, await nothing.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await countOf('app_sessions', relation)).toBe(2);
  });
});

describe('the consent page', () => {
  const unchecked = 'This app is new and not checked';
  const host = '<strong>shop.example.com</strong>';

  it('warns of an unchecked app, with the host of its redirect URI [S-15]', async () => {
    const relation = await newApp();
    const text = await (await open(relation, 'openid')).text();
    expect(text).toContain(unchecked);
    expect(text).toContain(`Allow access only if you know ${host}`);
    const indonesian = await (await open(relation, 'openid', 'id')).text();
    expect(indonesian).toContain('Aplikasi ini baru dan belum diperiksa');
    expect(indonesian).toContain(`jika Anda mengenal ${host}`);
  });

  it('offers to sign the person in if the app requests only their identity', async () => {
    const relation = await newApp();
    const titleFor = async (scope: string) =>
      /<h1[^>]*>([^<]*)/.exec(await (await open(relation, scope)).text())?.[1];
    expect(await titleFor('openid profile')).toBe(`Sign in to ${relation.app.name}`);
    expect(await titleFor('openid offline_access')).toBe('Allow access?');
  });

  it('says, depending on the request, that an app asks for a sign-in, to see the wallet or to act for the person', async () => {
    const relation = await checkedApp();
    const { handle } = relation.person;
    const saysFor = async (scope: string) =>
      /<small>([^<]*)/.exec(await (await open(relation, scope)).text())?.[1];
    expect(await saysFor('openid email')).toBe(`asks you to sign in as ${handle}@pid`);
    expect(await saysFor('openid offline_access')).toBe(`asks you to sign in as ${handle}@pid`);
    expect(await saysFor('openid wallet:read')).toBe(`wants to see the wallet of ${handle}@pid`);
    expect(await saysFor('wallet:read fiat:transfer')).toBe(`wants to act for ${handle}@pid`);
  });

  it('marks a checked app as new for a week', async () => {
    const [checked, other] = [await checkedApp(), await newApp()];
    const shown = async ({ app }: Relation) => {
      const text = await (await open({ target, app, person: await newMember(target) }, 'openid')).text();
      const texts = ['value="allow"', unchecked, 'This app is new', host];
      return texts.map((each) => text.includes(each));
    };
    await target.advance(7 * 86_400 - 60);
    expect(await shown(checked)).toEqual([true, false, true, true]);
    await target.advance(60);
    expect(await shown(checked)).toEqual([true, false, false, false]);
    expect(await shown(other)).toEqual([true, true, true, true]);
  });
});

describe('the popups of an app', () => {
  it.each([
    ['en', 'This app is new and not checked', 'Continue only if you know', 'Pay only if you know'],
    [
      'id',
      'Aplikasi ini baru dan belum diperiksa',
      'Lanjutkan hanya jika Anda mengenal',
      'Bayar hanya jika Anda mengenal',
    ],
  ])(
    'warn in %s as strongly as the consent page that the app is unchecked, with its host [S-15]',
    async (locale, unchecked, goOn, pay) => {
      const stage = await newPayStage(target);
      const host = `<strong>${new URL(stage.origin).host}</strong>`;
      const opener = await ask(stage);
      const asked = approvalOf(stage, (await stage.inquire()).id);
      expect((await asked.register()).status).toBe(200);
      const pages = [
        [stage.person.browser, `/popup/login?c=${opener.id}`, `${goOn} ${host}`],
        [openBrowser(target), `/popup/login?c=${opener.id}`, `${goOn} ${host}`],
        [stage.person.browser, `/popup/approve?c=${asked.id}`, `${pay} ${host}`],
      ] as const;
      const shown = async () => {
        const texts = pages.map(async ([browser, path, advice]) => {
          const text = await (await browser.navigate(`${path}&ui_locales=${locale}`)).text();
          const warning = /<div class="warning icon">.*?<strong>([^<]*)/.exec(text)?.[1];
          return [warning === unchecked, text.includes(advice)];
        });
        return Promise.all(texts);
      };
      expect(await shown()).toEqual(pages.map(() => [true, true]));
      // It is still new.
      await check(stage);
      expect(await shown()).toEqual(pages.map(() => [false, true]));
    },
  );
});

describe('an app with a name that looks like an address', () => {
  it('is shown without dots, slashes and their look-alikes until it is checked, on every consent page [S-15]', async () => {
    const stage = await newPayStage(target);
    await target.rows('UPDATE apps SET name = ? WHERE id = ?', ['https://bank.com‧id', stage.app.id]);
    const opener = await ask(stage);
    const asked = approvalOf(stage, (await stage.inquire()).id);
    const { browser } = stage.person;
    expect((await asked.register()).status).toBe(200);
    const texts = async () => {
      const visitor = openBrowser(target);
      const signIn = await visitor.navigate(authorizeUrl(stage.app, { scope: 'openid' }));
      const pages = [
        await browser.navigate(authorizeUrl(stage.app, { scope: 'openid' })),
        await visitor.navigate(signIn.headers.get('Location') ?? ''),
        await browser.navigate(`/popup/login?c=${opener.id}`),
        await asked.show(),
      ];
      return Promise.all(pages.map((page) => page.text()));
    };
    for (const text of await texts()) {
      expect(text).toContain('https bank com id');
      expect(text).not.toMatch(/bank\.com/);
    }
    await check(stage);
    const [consent] = await texts();
    expect(consent).toContain('https://bank.com‧id');
  });
});
