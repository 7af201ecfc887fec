import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, type Person, startEngine, until } from '../support/engines.ts';
import { claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

const app = (service: string) => `
import { createClient } from 'peridot-sdk';
const pid = createClient({ baseUrl: '${service}', popupBaseUrl: '${service}' });
pid.auth.handleReturn();
pid.subscribe(({ status, session }) => { document.title = session?.pid ?? status; });
const tell = ({ name, reason }) => { document.title = name + ' ' + reason; };
popup.onclick = () => pid.auth.loginWithPopup().catch(tell);
approve.onclick = () => pid.popup.approve({ inquiryId: 'inq_none' }).catch(tell);
redirect.onclick = () => pid.auth.loginWithRedirect();
logout.onclick = () => pid.auth.logout();
passkey.onclick = async () => {
  const { type, statusCode } = await pid.passkeys.login({ signal: AbortSignal.abort() });
  document.title = 'passkey: ' + (type ?? statusCode);
};
`;

const page = `<!doctype html><title>loading</title><button id="popup">Popup</button>
<button id="redirect">Redirect</button><button id="logout">Log out</button>
<button id="passkey">Passkey</button><button id="approve">Approve</button>
<script type="module" src="/main.js"></script>`;

let folder: string;
let hosts: SiblingHosts;
let server: Server;
let engine: Engine;
let person: Person;
let address: string;
/** The files requested by the page, and a predicate for those that it does not get. */
const asked: string[] = [];
let isMissing = (_name: string) => false;
/** A predicate for the files that never get a response. */
let isSilent = (_name: string) => false;

/** Serves Vite's build. A page on this machine is allowed in development. */
async function serve(files: string): Promise<Server> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  const created = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    asked.push(name);
    if (isSilent(name)) return;
    const text = isMissing(name) ? null : await readFile(join(files, name)).catch(() => null);
    answer.setHeader('Content-Type', types[extname(name)] ?? 'text/plain');
    answer.writeHead(text === null ? 404 : 200).end(text ?? '');
  });
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return created;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-fresh-'));
  hosts = await startSiblingHosts();
  await run(process.execPath, [join(root, 'scripts/build-sdk.ts'), '--dist'], { cwd: root });
  const packed = await run('npm', ['pack', join(root, 'dist/sdk'), '--pack-destination', folder, '--json']);
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'index.js',
      'index.d.ts',
      'ceremonies.js',
      'popup-flow.js',
      'popup-steps.js',
      'popup-tokens.js',
      'money.js',
      'global.d.ts',
      'react.js',
      'react.d.ts',
      'package.json',
      'LICENSE',
    ]),
  );
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'fresh', private: true, type: 'module' }),
  );
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], {
    cwd: folder,
  });
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'main.js'), app(hosts.service));
  // Vite comes from the root project, so that nothing is downloaded from a registry.
  await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
    cwd: folder,
  });
  server = await serve(join(folder, 'dist'));
  address = `http://fresh.pid.localhost:${(server.address() as AddressInfo).port}/`;
  engine = await startEngine.Chromium();
  person = await engine.person();
}, 120_000);
afterAll(async () => {
  await engine?.stop();
  await hosts?.stop();
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the package, installed from its tarball into a fresh Vite project', () => {
  it('signs in by popup, and by redirect with a return to the page that started it', async () => {
    const window = await person.open(address);
    await until(window, "document.title === 'anonymous'");
    const popup = await person.popupOf(() => window.click('#popup'));
    await signInAs(popup, 'fresh@example.com');
    await claimHandle(popup, 'fresh-vite');
    await until(window, "document.title === 'fresh-vite@pid'");

    await window.click('#logout');
    await until(window, "document.title === 'anonymous'");
    await window.click('#redirect');
    await signInAs(window, 'fresh@example.com');
    await until(window, "document.title === 'fresh-vite@pid'");
    expect(await window.evaluate('location.href')).toBe(address);
  });

  it('brings a newcomer back by redirect to claim a PID, and removes the parameter from the address', async () => {
    const other = await engine.person();
    const window = await other.open(address);
    await until(window, "document.title === 'anonymous'");
    await window.click('#redirect');
    await signInAs(window, 'newcomer@example.com');
    await until(window, "document.title === 'claim'");
    expect(await window.evaluate('location.href')).toBe(address);
    await other.leave();
  });

  it('loads the passkey ceremonies once, on first use, and retries after a failure', async () => {
    const window = await person.open(address);
    const isPart = (name: string) => name.includes('ceremonies');
    await until(window, "document.title !== 'loading'");
    expect(asked.filter(isPart)).toEqual([]);
    isMissing = isPart;
    await window.click('#passkey');
    await until(window, "document.title === 'passkey: 0'");
    isMissing = () => false;
    await window.click('#passkey');
    await until(window, "document.title === 'passkey: cancelled'");
    const times = asked.filter(isPart).length;
    await window.evaluate("document.title = 'again'");
    await window.click('#passkey');
    await until(window, "document.title === 'passkey: cancelled'");
    expect(asked.filter(isPart)).toHaveLength(times);
  });

  it('closes the window and rejects when the popup code cannot be loaded or is too slow', async () => {
    const other = await engine.person();
    const window = await other.open(address);
    await until(window, "document.title === 'anonymous'");
    isMissing = (name) => name.includes('popup-flow');
    await window.click('#popup');
    await until(window, "document.title === 'PopupClosedError network'");
    isMissing = (name) => name.includes('money');
    await window.evaluate("document.title = 'again'");
    await window.click('#approve');
    await until(window, "document.title === 'PopupClosedError network'");
    expect(await other.count()).toBe(1);
    isMissing = () => false;
    await window.click('#approve');
    await until(window, "document.title.startsWith('PopupRejectedError')");
    const popup = await other.popupOf(() => window.click('#popup'));
    await signInAs(popup, 'fresh@example.com');
    await until(window, "document.title === 'fresh-vite@pid'");
    isSilent = (name) => name.includes('popup-flow');
    const late = await other.open(address);
    await until(late, "document.title === 'fresh-vite@pid'");
    await late.click('#popup');
    await until(late, "document.title === 'PopupClosedError network'", 60_000);
    isSilent = () => false;
    await other.leave();
  });

  it('is identical to the file that the service serves, and has the hash given in the docs', async () => {
    const window = await person.open(hosts.app('elsewhere.example', '/file'));
    const docs = await readFile(join(root, 'docs/sdk.md'), 'utf8');
    const integrity = /sha384-[A-Za-z0-9+/=]+/.exec(docs)?.[0] ?? '';
    const loaded = (hash: string) => `new Promise((resolve) => {
      const script = document.createElement('script');
      Object.assign(script, { src: '${hosts.service}/sdk/v1/pid.js', crossOrigin: 'anonymous', integrity: '${hash}' });
      script.onload = () => resolve(typeof Pid.createClient);
      script.onerror = () => resolve('refused');
      document.head.append(script);
    })`;
    expect(await window.evaluate(loaded(`sha384-${'A'.repeat(64)}`))).toBe('refused');
    expect(await window.evaluate(loaded(integrity))).toBe('function');
    const inFile = "Pid.createClient({ baseUrl: 'https://id.example.com' }).passkeys";
    const stopped = `${inFile}.login({ signal: AbortSignal.abort() }).then(({ type }) => type)`;
    expect(await window.evaluate(stopped)).toBe('cancelled');
    const answering =
      "{ baseUrl: 'https://id.example.com', fetch: async () => new Response(null, { status: 204 }) }";
    const sent = `Pid.createClient(${answering}).auth.email.forgot('ada@example.com').then(({ sent }) => sent)`;
    expect(await window.evaluate(sent)).toBe(true);
    const answer = await fetch(`${hosts.local}/sdk/v1/pid.js`);
    expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(answer.headers.get('Content-Type')).toContain('text/javascript');
  });
});
