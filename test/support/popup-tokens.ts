import type { Browser } from './browser.ts';
import { decide, decisionFields, makeOpener, type Opener, openPopup } from './popup.ts';
import { credentials, post, type Relation } from './token.ts';

export const popupType = 'urn:pid:token-type:popup-request';

/** Registers a popup for tokens, as the app's page or as a program that forges its origin. */
export async function ask({ target, app }: Relation, scope: string | null = 'openid'): Promise<Opener> {
  const opener = makeOpener(target, app.allowedOrigins[0]);
  const answer = await opener.register(scope === null ? {} : { scope }, { 'X-App-Id': app.id });
  if (answer.status !== 200) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return opener;
}

/** The person presses Continue in the popup. */
export async function press({ target, person }: Relation, opener: Opener): Promise<void> {
  const page = await openPopup(person.browser, opener);
  const fields = await decisionFields(page);
  const answer = await decide(target, person.browser, opener.id, { ...fields, decision: 'approved' });
  if (answer.status !== 303) throw new Error(`not approved: ${answer.status} ${await answer.text()}`);
}

/** The popup's last page, and the result that it hands over. */
export async function lastPage(browser: Browser, { id }: Pick<Opener, 'id'>) {
  const page = await browser.navigate(`/popup/done?c=${id}`);
  const text = await page.text();
  return {
    text,
    result: /data-result="([^"]+)"/.exec(text)?.[1],
    returnUrl: /data-return="([^"]+)"/.exec(text)?.[1],
  };
}

/** Redeems a popup with its result, as the app's back end or, without a secret, its page. */
export function redeem(
  relation: Relation,
  { id, verifier }: Pick<Opener, 'id' | 'verifier'>,
  result?: string,
  headers: Record<string, string> = headersOf(relation),
): Promise<Response> {
  const parts = result === undefined ? [id, verifier] : [id, verifier, result];
  const fields = { subject_token: parts.join('.'), subject_token_type: popupType };
  return post(relation, '/v1/auth/exchange', fields, headers);
}

function headersOf({ app }: Relation): Record<string, string> {
  return app.secret === null ? { Origin: app.allowedOrigins[0] ?? '' } : credentials(app);
}
