import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { freshHandle } from '../support/people.ts';
import { beat, decide, decisionFields, openPopup, registered } from '../support/popup.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { form } from '../support/sandbox.ts';
import { sandboxProvider, useService } from '../support/service.ts';

const client = 'http://app.localhost:5173';
const target = useService({ ...sandboxProvider, CLIENT_SUCCESS_URL: `${client}/welcome` });

type Step = readonly [string, Response];

/** Every response on a newcomer's way through the popup and the sandbox provider, including errors. */
async function walk(): Promise<Step[]> {
  const opener = await registered(target, client);
  const browser = openBrowser(target);
  const steps: Step[] = [];
  const go = async (name: string, answer: Promise<Response>): Promise<Response> => {
    steps.push([name, (await answer).clone()]);
    return answer;
  };
  const post = (path: string, fields: Record<string, string>) =>
    browser.navigate(path, form(fields, target.origin));
  const popup = opener.id;
  await go('login', openPopup(browser, opener));
  await go('beat', beat(target, browser, popup, { away: 'idp' }));
  const start = await go('start', browser.navigate(`/v1/auth/idp?popup=${popup}`));
  const provider = start.headers.get('Location') ?? '';
  await go('picker', browser.navigate(provider));
  const denied = await go('denied', post(provider, { deny: '1' }));
  await go('error', browser.navigate(denied.headers.get('Location') ?? ''));
  const again = await go('start again', browser.navigate(`/v1/auth/idp?popup=${popup}`));
  const chosen = await go('chosen', post(again.headers.get('Location') ?? '', { user: 'budi' }));
  await go('callback', browser.navigate(chosen.headers.get('Location') ?? ''));
  await go('claim', browser.navigate(`/popup/claim?c=${popup}`));
  await go('claim page', browser.navigate(`/v1/auth/claim?popup=${popup}`));
  const handle = freshHandle();
  const claim = { popup, handle, displayName: 'Budi', confirmed: handle };
  await go('claim refused', post('/v1/auth/claim', { ...claim, handle: 'x' }));
  await go('claimed', post('/v1/auth/claim', claim));
  await go('done', browser.navigate(`/popup/done?c=${popup}`));
  const second = await registered(target, client);
  const question = await go('question', openPopup(browser, second));
  const fields = { ...(await decisionFields(question.clone())), decision: 'approved' };
  await go('altered', decide(target, browser, second.id, { ...fields, token: 'x' }));
  await go('decided', decide(target, browser, second.id, fields));
  await go('ended', openPopup(browser, second));
  await go('no request', browser.navigate(`/popup/done?c=${makeChannel().id}`));
  await go('forged', browser.navigate('/popup/login?c=x'));
  const linking = await registered(target, client);
  await go('not signed in', linking.register({ link: 'idp' }));
  await go('poll', linking.ask('poll'));
  return steps;
}

it('responses in a popup flow never sever the opener, allow caching or framing, or hide a form’s origin', async () => {
  const steps = await walk();
  const redirects = ['start', 'denied', 'start again', 'chosen', 'callback', 'claim', 'claimed', 'decided'];
  const statuses = {
    error: 400,
    altered: 400,
    'claim refused': 400,
    'no request': 404,
    forged: 404,
  } as Record<string, number>;
  const outside = ['picker', 'beat', 'poll', 'not signed in'];
  for (const [name, answer] of steps) {
    const { headers, status } = answer;
    const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false;
    const expected = name === 'beat' ? 204 : name === 'not signed in' ? 401 : (statuses[name] ?? 200);
    if (redirects.includes(name)) expect([302, 303], name).toContain(status);
    else expect([name, status]).toEqual([name, expected]);
    expect(headers.get('Cross-Origin-Opener-Policy'), name).toBeNull();
    expect(headers.get('Cross-Origin-Embedder-Policy'), name).toBeNull();
    expect(headers.get('Cache-Control'), name).toBe('no-store');
    expect(headers.get('Content-Security-Policy'), name).toMatch(/frame-ancestors 'none'/);
    if (!isPage) continue;
    expect(headers.get('X-Frame-Options'), name).toBe('DENY');
    const [, actions] = /form-action ([^;]+)/.exec(headers.get('Content-Security-Policy') ?? '') ?? [];
    // The sandbox redirects to whichever page on this machine started the sign-in.
    if (name === 'picker') expect(actions).toMatch(`'self' ${client} http://localhost:*`);
    else expect([name, actions]).toEqual([name, "'self'"]);
    if (!outside.includes(name) && name !== 'forged') {
      expect([name, headers.get('Referrer-Policy')]).toEqual([name, 'strict-origin']);
    }
  }
  expect(steps).toHaveLength(22);
});
