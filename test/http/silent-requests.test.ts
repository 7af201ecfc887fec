import { describe, expect, it } from 'vitest';
import { newApp } from '../support/apps.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { answerIn, appAndPerson, authorizeUrl } from '../support/oauth.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation } from '../support/token.ts';

const target = useService();
/** A page on another site that sends its visitor through the authorization endpoint and back. */
const fromElsewhere = { headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' } };

async function silently(browser: Browser, url: string): Promise<Record<string, string>> {
  const answer = await browser.navigate(url, fromElsewhere);
  const { error = '', error_description: text = '' } = answerIn(answer.headers.get('Location'));
  return { error, text };
}

describe('a silent request from an app that its visitor has never allowed', () => {
  it('reveals nothing about whether anyone is signed in [D-89]', async () => {
    const { app, person } = await appAndPerson(target);
    const url = authorizeUrl(app, { prompt: 'none', scope: 'openid' });
    expect(await silently(person.browser, url)).toEqual(await silently(openBrowser(target), url));
  });

  it('does not reveal through max_age when the visitor signed in [D-89]', async () => {
    const { app, person, developer } = await appAndPerson(target);
    const other = await newApp(developer.browser, { name: 'Another app' });
    await target.advance(137);
    /** By two apps, which would thereby learn that they have the same visitor. */
    const bisect = async (one: typeof app) => {
      let [young, old] = [0, 1024];
      while (old - young > 1) {
        const max = Math.floor((young + old) / 2);
        const url = authorizeUrl(one, { prompt: 'none', scope: 'openid', max_age: String(max) });
        if ((await silently(person.browser, url))['error'] === 'consent_required') old = max;
        else young = max;
      }
      return old;
    };
    const ages = [await bisect(app), await bisect(other)];
    expect(ages).toEqual([1024, 1024]);
  });

  it('does not reveal a former user’s identity to an app whose grant was revoked [D-89]', async () => {
    const relation = await newRelation(target);
    const { app, person } = relation;
    const { id_token: hint = '' } = await appSignIn(relation, { scope: 'openid' });
    await target.rows(`UPDATE grants SET revoked_at = ?, revoked_by = 'person' WHERE app_id = ?`, [
      target.now(),
      app.id,
    ]);
    const { person: stranger } = await appAndPerson(target);
    const url = authorizeUrl(app, { prompt: 'none', scope: 'openid', id_token_hint: hint });
    expect(await silently(person.browser, url)).toEqual(await silently(stranger.browser, url));
  });
});
