import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Engine,
  type EngineWindow,
  type Person,
  pageOf,
  startEngine,
  until,
} from '../support/engines.ts';
import { chooseAtProvider, claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

const root = join(import.meta.dirname, '../..');

const app = `
import { createElement as h, StrictMode, useReducer } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { createHooks } from './sdk/react.ts';
const { useSession, usePopupAction, useCredentials } = createHooks(window.pid);
window.renders = 0;
function App() {
  window.renders += 1;
  const { status, session } = useSession();
  const login = usePopupAction(window.pid.auth.loginWithPopup);
  const { data, error, reload } = useCredentials();
  const [, again] = useReducer((n) => n + 1, 0);
  return h('main', null,
    h('p', { id: 'status' }, status + ' ' + (session?.pid ?? '')),
    h('button', { id: 'login', onClick: () => login.run(), disabled: login.pending }, 'Sign in'),
    h('button', { id: 'reset', onClick: login.reset }, 'Reset'),
    h('button', { id: 'reload', onClick: reload }, 'Reload'),
    h('button', { id: 'link', onClick: () => window.pid.credentials.linkWithPopup('google') }, 'Link'),
    h('button', { id: 'again', onClick: again }, 'Again'),
    h('p', { id: 'error' }, login.error ? login.error.code : 'none'),
    h('p', { id: 'credentials' }, data ? data.length + ' credential' : error ? error.message : 'no credentials'));
}
window.onServer = renderToString(h(App));
createRoot(document.body.appendChild(document.createElement('div'))).render(h(StrictMode, null, h(App)));
`;

let hosts: SiblingHosts;
let engine: Engine;
let person: Person;
beforeAll(async () => {
  hosts = await startSiblingHosts();
  engine = await startEngine.Chromium();
  person = await engine.person();
});
afterAll(async () => {
  await engine?.stop();
  await hosts?.stop();
});

/** Opens the app, signed out. */
async function openApp(): Promise<EngineWindow> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: root },
    bundle: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const window = await person.open(hosts.app('app', '/raw'));
  await pageOf(window).addScriptTag({ content: outputFiles[0]?.text ?? '' });
  await shows(window, 'status', 'anonymous');
  return window;
}

const shows = (window: EngineWindow, id: string, text: string) =>
  until(window, `document.querySelector('#${id}').innerText === '${text}'`);

describe('the hooks, in React with StrictMode', () => {
  it('show the session, open a popup, and list the credentials', async () => {
    const window = await openApp();
    expect(await window.evaluate('onServer')).toContain('loading');

    const closed = await person.popupOf(() => window.click('#login'));
    await until(window, "document.querySelector('#login').disabled");
    await until(closed, "document.querySelector('a[data-away=idp]')");
    await closed.close();
    await shows(window, 'error', 'popup_closed');
    await window.click('#reset');
    await shows(window, 'error', 'none');

    const popup = await person.popupOf(() => window.click('#login'));
    await signInAs(popup, 'react@example.com');
    await claimHandle(popup, 'react-person');
    await shows(window, 'status', 'authenticated react-person@pid');
    await shows(window, 'credentials', '1 credential');
    expect(await window.evaluate("document.querySelector('#login').disabled")).toBe(false);

    const reads = pageOf(window).waitForResponse((answer) => answer.url().endsWith('/v1/credentials'));
    await window.click('#reload');
    expect((await reads).status()).toBe(200);
    await shows(window, 'credentials', '1 credential');

    await window.evaluate('pid.auth.logout()');
    await shows(window, 'status', 'anonymous');
    await shows(window, 'credentials', 'no credentials');
    const before = await window.evaluate<number>('renders');
    await window.click('#again');
    // Two requests in StrictMode, and none caused by the hooks themselves.
    expect(await window.evaluate<number>('renders')).toBe(before + 2);
  });

  it('reload the list after the client links or unlinks a credential', async () => {
    const window = await openApp();
    const popup = await person.popupOf(() => window.click('#login'));
    await signInAs(popup, 'react-linker@example.com');
    await claimHandle(popup, 'react-linker');
    await shows(window, 'credentials', '1 credential');

    const linking = await person.popupOf(() => window.click('#link'));
    await chooseAtProvider(linking, 'react-google@example.com');
    await shows(window, 'credentials', '2 credential');
    await window.evaluate('pid.credentials.list().then((all) => pid.credentials.unlink(all[1].id))');
    await shows(window, 'credentials', '1 credential');
  });
});
