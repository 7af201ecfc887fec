import { beforeAll, describe, expect, it } from 'vitest';
import { anotherBrowser, seen } from '../support/answers.ts';
import { approvalOf, newPayStage, type PayStage } from '../support/approvals.ts';
import { markFirstParty } from '../support/apps.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { newHolder } from '../support/money.ts';
import { type Member, newMember } from '../support/people.ts';
import { makeOpener } from '../support/popup.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useService } from '../support/service.ts';

const target = useService();

let stage: PayStage;
let visitor: Member;
let stranger: Member;
beforeAll(async () => {
  stage = await newPayStage(target);
  visitor = await newHolder(target, 100_000);
  stranger = await newMember(target);
});

/** The id of a request registered by the visitor's browser for the app's page, or the error. */
async function asking(fields: object, by: PayStage = stage, browser = visitor.browser) {
  const { id, challenge, verifier } = makeChannel();
  const answer = await by.call('/v1/popup/requests', { id, challenge, ...fields }, browser);
  return { id, verifier, answer };
}

/** An approval requested by the visitor's browser. */
async function askingToPay(by: PayStage = stage) {
  const request = { to: `${by.shop.handle}@pid`, amount: 500 };
  const inquiry = await by.call('/v1/fiat/transfers/inquiry', request, visitor.browser);
  const approval = approvalOf(by, ((await inquiry.json()) as { id: string }).id);
  expect((await approval.register({}, visitor.browser)).status).toBe(200);
  return approval;
}

/** The pages of a popup; a sign-in's pages do not lead to an approval, which would wait for one. */
const pagesOf = (kind: 'login' | 'approve', id: string) => [
  ...['', '&other=1', '&signed_out=1', '&email=a%40example.com'].flatMap((more) => [
    `/popup/login?c=${id}${more}`,
    `/popup/${kind}?c=${id}${more}`,
  ]),
  `/popup/done?c=${id}`,
  `/v1/auth/continue?returnTo=${encodeURIComponent(`${target.origin}/popup/${kind}?c=${id}`)}`,
];

/** All text that the popup's pages show in this browser, wherever they lead. */
async function everyPage(browser: Browser, kind: 'login' | 'approve', id: string): Promise<string> {
  const texts: string[] = [];
  for (const language of ['en', 'id'])
    for (const first of pagesOf(kind, id)) {
      let path: string | null = first;
      for (let step = 0; path !== null && step < 6; step += 1) {
        const answer: Response = await browser.navigate(path, { headers: { 'Accept-Language': language } });
        const headers = JSON.stringify([...answer.headers]);
        texts.push(`${path} ${answer.status} ${headers} ${await answer.text()}`);
        path = answer.headers.get('Location');
      }
    }
  return texts.join('\n');
}

const viewers: [string, () => Browser][] = [
  ['without a session', () => openBrowser(target)],
  ['of another person', () => stranger.browser],
];

describe('the popup of a third-party app', () => {
  it.each(viewers)('never reveals its payer to a browser %s [D-89]', async (_, viewer) => {
    const approval = await askingToPay();
    const states = [() => null, () => approval.decide('approved', {}, visitor.browser)];
    for (const go of states) {
      await go();
      const shown = await everyPage(viewer(), 'approve', approval.id);
      expect(shown).not.toContain(visitor.handle);
      expect(JSON.stringify([await approval.poll(), await seen(await approval.ask('cancel'))])).not.toContain(
        visitor.handle,
      );
    }
  });

  it.each([
    ['en', 'the account that was signed in when'],
    ['id', 'akun yang dipakai saat'],
  ])(
    'shows in %s which account to use, and reveals its name only to the payer [D-89]',
    async (locale, account) => {
      const { id } = await askingToPay();
      const text = async (browser: Browser, more = '') =>
        (await browser.navigate(`/popup/approve?c=${id}&ui_locales=${locale}${more}`)).text();
      const [signedOut, other] = [
        await text(openBrowser(target), '&signed_out=1'),
        await text(stranger.browser),
      ];
      for (const page of [signedOut, other, await text(stranger.browser, '&other=1')])
        expect(page).toContain(account);
      expect(other).toContain(`${stranger.handle}@pid`);
      expect(await text(visitor.browser)).toContain(`${visitor.handle}@pid`);
    },
  );

  it('cannot require a new sign-in or a link, and gets the same rejection whether or not anyone is signed in [D-89]', async () => {
    const refusalOf = async (browser: Browser, fields: object) => {
      const { answer } = await asking({ kind: 'login', ...fields }, stage, browser);
      return [await seen(answer), answer.headers.get('X-Error-Code')];
    };
    for (const [fields, code] of [
      [{ prompt: 'login' }, 'origin_not_first_party'],
      [{ prompt: 'login', scope: 'openid' }, 'origin_not_first_party'],
      [{ link: 'idp' }, 'origin_not_allowed'],
    ] as const) {
      const signedOut = await refusalOf(openBrowser(target), fields);
      expect(signedOut).toMatchObject([[403, expect.anything()], code]);
      expect(await refusalOf(visitor.browser, fields)).toEqual(signedOut);
      expect(await refusalOf(await anotherBrowser(target, stranger), fields)).toEqual(signedOut);
    }
  });

  it('does not identify anyone in a sign-in either [D-89]', async () => {
    const { id, answer } = await asking({ kind: 'login', scope: 'openid' });
    expect(answer.status).toBe(200);
    await target.rows('UPDATE popup_requests SET handle = ? WHERE id = ?', [visitor.handle, id]);
    for (const [, viewer] of viewers)
      expect(await everyPage(viewer(), 'login', id)).not.toContain(visitor.handle);
  });
});

describe('the operator’s popup', () => {
  it('shows who has to sign in, for a first-party app and for the operator’s own origin', async () => {
    const shop = await newPayStage(target);
    await markFirstParty(target, shop.app.id);
    const approval = await askingToPay(shop);
    const named = `Sign in as ${visitor.handle}@pid`;
    const page = async (path: string, browser: Browser) =>
      (await browser.navigate(`${path}&ui_locales=en`)).text();
    expect(await page(`/popup/approve?c=${approval.id}&signed_out=1`, openBrowser(target))).toContain(named);
    expect(await page(`/popup/approve?c=${approval.id}`, stranger.browser)).toContain(named);
    const again = await asking({ kind: 'login', prompt: 'login' }, shop);
    expect(again.answer.status).toBe(200);
    expect(await page(`/popup/login?c=${again.id}`, openBrowser(target))).toContain(`${named} again`);
    const own = makeOpener(target);
    await own.register({ prompt: 'login' }, { Cookie: await visitor.browser.cookies() });
    expect(await page(`/popup/login?c=${own.id}`, stranger.browser)).toContain(`${named} again`);
  });
});
