import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/features/app/schema.ts';
import { seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { answerIn, authorizeUrl, codeVerifier, decideOn, ledTo } from '../support/oauth.ts';
import { useService } from '../support/service.ts';
import { newRelation, post, type Relation, tokensOf } from '../support/token.ts';

const target = useService();
let relation: Relation;
beforeAll(async () => {
  relation = await newRelation(target, { pkce: 'nonce' });
});

const bare = { code_challenge: null, code_challenge_method: null };

/** The response to a request that the person allows if asked. */
async function ask({ app, person }: Relation, changes: Record<string, string | null> = {}) {
  const page = await person.browser.navigate(authorizeUrl(app, { ...bare, ...changes }));
  const location = page.headers.get('Location');
  return answerIn(location ?? (await ledTo(await decideOn(target, person.browser, page))));
}

async function codeOf(one: Relation, changes: Record<string, string | null> = {}): Promise<string> {
  const { code, ...rest } = await ask(one, changes);
  if (code === undefined) throw new Error(`no code: ${JSON.stringify(rest)}`);
  return code;
}

const redeem = (one: Relation, code: string, changes: Record<string, string> = {}) =>
  post(one, '/v1/auth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: one.app.redirectUris[0] ?? '',
    ...changes,
  });

const change = (one: Relation, body: object) =>
  one.person.browser.fetch(`/v1/apps/${one.app.id}`, json('PATCH', body));

describe('a web app that accepts a nonce instead of PKCE', () => {
  it('gets a code without a challenge, and exchanges it with its secret for an ID token with the nonce [D-71]', async () => {
    const { id_token } = await tokensOf(await redeem(relation, await codeOf(relation)));
    const payload = JSON.parse(
      atob(id_token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''),
    );
    expect(payload).toMatchObject({ nonce: 'nonce of the app', aud: relation.app.id });
  });

  it('gets no code without a nonce, or without openid, because only an ID token contains the nonce [D-71]', async () => {
    for (const changes of [{ nonce: null }, { nonce: '' }, { scope: 'profile' }]) {
      expect(await ask(relation, changes)).toMatchObject({
        error: 'invalid_request',
        error_description: 'code_challenge must be given, or nonce with the scope openid',
      });
    }
  });

  it('gets no code with a method that is not S256 [D-71]', async () => {
    const plain = { code_challenge: codeVerifier, code_challenge_method: 'plain' };
    expect(await ask(relation, plain)).toMatchObject({ error: 'invalid_request' });
  });

  it('cannot exchange a code without its secret, even with a verifier [D-71, D-73]', async () => {
    const code = await codeOf(relation);
    for (const changes of [{}, { code_verifier: codeVerifier }]) {
      const fields = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: relation.app.redirectUris[0] ?? '',
      };
      const answer = await post(relation, '/v1/auth/token', { ...fields, ...changes }, {});
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    await tokensOf(await redeem(relation, code));
  });

  it('may send a verifier only for a code with a challenge, so removing the challenge in transit fails [D-71]', async () => {
    const code = await codeOf(relation);
    const downgraded = await redeem(relation, code, { code_verifier: codeVerifier });
    expect(await seen(downgraded)).toMatchObject([400, { error: 'invalid_grant' }]);
    await tokensOf(await redeem(relation, code));
  });

  it('needs the verifier for a code issued with a challenge [D-71]', async () => {
    const page = await relation.person.browser.navigate(authorizeUrl(relation.app));
    const { code = '' } = answerIn(page.headers.get('Location'));
    expect(await seen(await redeem(relation, code))).toMatchObject([
      400,
      { error: 'invalid_request', message: ['code_verifier must be given'] },
    ]);
    await tokensOf(await redeem(relation, code, { code_verifier: codeVerifier }));
  });

  it('gets no code for a request that is still waiting when PKCE is required again [D-71]', async () => {
    const one = await newRelation(target, { pkce: 'nonce' });
    const page = await one.person.browser.navigate(authorizeUrl(one.app, bare));
    expect((await change(one, { pkce: 'required' })).status).toBe(200);
    const decided = await decideOn(target, one.person.browser, page);
    expect(answerIn(await ledTo(decided))).toMatchObject({
      error: 'invalid_request',
      error_description: 'code_challenge must be given',
    });
  });

  it('is rejected if it has no secret, at registration and later [D-71]', async () => {
    const needed = 'pkce must be required, because only a web app has a secret';
    for (const type of ['spa', 'native']) {
      const one = await newRelation(target, { type });
      const body = { name: 'Page', type, pkce: 'nonce' };
      const answers = [
        await one.person.browser.fetch('/v1/apps', json('POST', body)),
        await change(one, { pkce: 'nonce' }),
      ];
      for (const answer of answers) expect(await seen(answer)).toMatchObject([400, { message: [needed] }]);
      expect(await ask(one)).toMatchObject({ error: 'invalid_request' });
    }
  });

  it('requires a recent sign-in to change the setting, and its owner gets an email', async () => {
    const one = await newRelation(target);
    expect(((await (await change(one, { pkce: 'nonce' })).json()) as App).pkce).toBe('nonce');
    const { browser, claims } = one.person;
    expect((await mailsTo(target, claims.email)).map(({ kind }) => kind)).toContain('app_changed');
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect((await change(one, { pkce: 'required' })).headers.get('X-Error-Code')).toBe('not_fresh');
  });
});

describe('an app page', () => {
  it('shows that a nonce is sufficient, and can require PKCE again', async () => {
    const one = await newRelation(target, { pkce: 'nonce' });
    const path = `/developers/apps/${one.app.id}`;
    const open = async () => (await one.person.browser.navigate(path)).text();
    const notice = 'Requests without PKCE are accepted if they have a nonce.';
    const page = await open();
    expect(page).toContain(notice);
    expect(page).toMatch(/<option value="nonce" selected/);
    await change(one, { pkce: 'required' });
    expect(await open()).not.toContain(notice);
  });
});
