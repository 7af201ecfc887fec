import { describe, expect, it } from 'vitest';
import { answerIn, appAndPerson, authorizeUrl, codeChallenge, decideOn, ledTo } from '../support/oauth.ts';
import { useService } from '../support/service.ts';

const target = useService();

describe('an authorization request', () => {
  it('asks the person once, and answers with a code, state and issuer', async () => {
    const { app, person } = await appAndPerson(target);
    const page = await person.browser.navigate(authorizeUrl(app));
    const text = await page.clone().text();
    expect(page.status).toBe(200);
    for (const shown of [
      `Corner Shop asks to act for ${person.handle}@pid.`,
      '<strong>https://shop.example.com</strong>',
      '<li>know your PID</li><li>see your name and language</li>',
    ])
      expect(text).toContain(shown);
    const decided = await decideOn(target, person.browser, page);
    expect(decided.status).toBe(200);
    const answer = answerIn(await ledTo(decided));
    expect(answer).toEqual({
      to: 'https://shop.example.com/callback',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'state of the app',
      iss: target.origin,
    });
    const again = await person.browser.navigate(authorizeUrl(app));
    expect([again.status, answerIn(again.headers.get('Location'))['iss']]).toEqual([302, target.origin]);
    const rows = await target.rows(
      `SELECT g.scopes AS granted, s.scopes, s.nonce, s.redirect_uri, s.code_challenge, s.code_until - s.created_at AS lives
        FROM app_sessions s JOIN grants g ON g.id = s.grant_id WHERE s.app_id = ?`,
      [app.id],
    );
    const row = {
      granted: '["openid","profile"]',
      scopes: '["openid","profile"]',
      nonce: 'nonce of the app',
      redirect_uri: 'https://shop.example.com/callback',
      code_challenge: codeChallenge,
      lives: 60_000,
    };
    expect(rows).toEqual([row, row]);
  });
});
