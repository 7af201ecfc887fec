import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { all } from '../../../src/db/database.ts';
import { linkCredential } from '../../../src/features/sign-in/link.ts';
import { type Browser, json, openBrowser } from '../../support/browser.ts';
import { gitlab } from '../../support/gitlab.ts';
import { serveWithProvider } from '../../support/provider-service.ts';

/** Visits the provider and returns with a code that only the matching verifier redeems. */
async function signIn(browser: Browser): Promise<Response> {
  const started = await browser.navigate('/v1/auth/gitlab');
  const asked = new URL(started.headers.get('Location') ?? '');
  expect(`${asked.origin}${asked.pathname}`).toBe('https://gitlab.example/oauth/authorize');
  const code = asked.searchParams.get('code_challenge') ?? '';
  const query = new URLSearchParams({ code, state: asked.searchParams.get('state') ?? '' });
  return browser.navigate(`/v1/auth/gitlab/callback?${query}`);
}

it('a provider added as a single file gets sign-in, claim, linking and all their checks', async () => {
  const calls: string[] = [];
  const target = await serveWithProvider(gitlab, async (request) => {
    calls.push(new URL(request.url).pathname);
    if (request.method === 'GET') return Response.json({ id: 4711, name: 'Rani' });
    const form = new URLSearchParams(await request.text());
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return Response.json(
      challenge === form.get('code') ? { access_token: 'token' } : { error: 'invalid_grant' },
    );
  });
  const query = (text: string) => all(target.deps.db, { text, values: [] });
  try {
    const browser = openBrowser(target);
    expect((await signIn(browser)).headers.get('Location')).toContain('claim=1');
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: 'rani' }));
    expect([claimed.status, await claimed.json()]).toMatchObject([200, { pid: 'rani@pid' }]);
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    expect((await signIn(browser)).headers.get('Location')).not.toContain('claim=1');
    const session = (await (await browser.fetch('/v1/auth/session')).json()) as { session: { id: string } };
    expect(session).toMatchObject({ pid: 'rani@pid', session: { provider: 'gitlab' } });
    expect(calls).toEqual(['/oauth/token', '/api/v4/user', '/oauth/token', '/api/v4/user']);

    const client = { address: '127.0.0.1', userAgent: null, country: null, requestId: 'test' };
    const credential = await gitlab.authenticate(
      {
        ...target.deps,
        fetch: async ({ method }) =>
          Response.json(method === 'GET' ? { id: 7, name: 'R' } : { access_token: 'x' }),
      },
      { state: '', verifier: '', nonce: '' },
      { code: '', iss: undefined },
    );
    await linkCredential(target.deps, { sessionId: session.session.id, client, credential });
    const linked = (await (await browser.fetch('/v1/credentials')).json()) as { id: string }[];
    expect(linked).toHaveLength(2);
    // GitLab provides no address here; a linked address makes the emails visible.
    await query(`INSERT INTO emails VALUES ('rani@example.com', 'rani', 1)`);
    const unlinked = await browser.fetch(`/v1/credentials/${linked[1]?.id}`, { method: 'DELETE' });
    expect(unlinked.status).toBe(204);
    expect(await query('SELECT kind, recipient FROM mails')).toEqual([
      { kind: 'credential_unlinked', recipient: 'rani@example.com' },
    ]);
    const foreign = await openBrowser(target).fetch('/v1/auth/gitlab/callback?code=a&state=b');
    expect([foreign.status, foreign.headers.get('X-Error-Code')]).toEqual([400, 'state_invalid']);
  } finally {
    await target.close();
  }
});
