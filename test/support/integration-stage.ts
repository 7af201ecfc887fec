import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPanvaProvider } from './panva-provider.ts';
import { freePort, type RunningProcess, runProcess } from './processes.ts';
import { type Answer, forwardTo, startTlsProxy } from './tls-proxy.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const fixture = join(root, 'test/fixtures/integrations');
const bun = join(root, 'node_modules/.bin/bun');

/**
 * The service in production mode at https://id.example.com, a provider at https://login.example.net, and apps on sibling
 * hosts, all behind one TLS proxy. The apps are installed outside the project, from the service's own files.
 */
export interface IntegrationStage {
  /** Arguments with which Chromium reaches these hosts. */
  readonly browserArgs: string[];
  /** The service's address for Node, which cannot resolve these hosts. */
  readonly local: string;
  /** The folder in which the apps are installed. */
  readonly folder: string;
  /** Runs one of the project's programs in that folder; rejects with its output. */
  tool(from: string, name: string, bin: string, ...args: string[]): Promise<string>;
  /** Advances the clocks of the service and of all back ends by 16 minutes. */
  passSixteenMinutes(): Promise<void>;
  stop(): Promise<void>;
}

/** The first TypeScript block below a heading in docs/back-ends.md that is a complete program. */
async function recipe(heading: string): Promise<string> {
  const text = await readFile(join(root, 'docs/back-ends.md'), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1] ?? '';
  const [, code] = /```ts\n(import .*?)```/s.exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/back-ends.md has no code below ${heading}`);
  return code;
}

export async function startIntegrationStage(): Promise<IntegrationStage> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-integrations-'));
  const issuer = 'https://login.example.net';
  const provider = await startPanvaProvider({
    issuer,
    redirectUris: ['https://id.example.com/v1/auth/idp/callback'],
  });
  const servicePort = await freePort();
  const hosts = { 'id.example.com': `http://127.0.0.1:${servicePort}`, 'login.example.net': provider.local };
  const outside = join(fixture, 'outside.mjs');
  const env = { TEST_HOSTS: JSON.stringify(hosts), BUN_OPTIONS: `--preload=${outside}` };
  const isUp = (port: number) => async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0;
  const service = await runProcess(
    [bun, 'src/bun.ts'],
    { cwd: root, env: { ...env, ...serviceSettings(folder, servicePort, provider) } },
    async () => (await fetch(`${hosts['id.example.com']}/readyz`)).ok,
  );
  await installApps(folder, hosts['id.example.com']);
  async function backEnd(command: string[]): Promise<{ address: string; process: RunningProcess }> {
    const port = await freePort();
    const settings = { cwd: folder, env: { ...env, PORT: String(port) } };
    return { address: `http://127.0.0.1:${port}`, process: await runProcess(command, settings, isUp(port)) };
  }
  const [hono, express, site] = await Promise.all([
    backEnd([bun, 'hono.ts']),
    backEnd([process.execPath, '--import', outside, 'start-express.ts']),
    backEnd([bun, 'site.ts']),
  ]);
  const proxy = await startTlsProxy({
    'id.example.com': forwardTo(hosts['id.example.com']),
    'login.example.net': forwardTo(provider.local),
    'hono.example.com': forwardTo(hono.address),
    'express.example.com': forwardTo(express.address),
    'site.example.com': forwardTo(site.address),
    'app.example.com': serveFolder(join(folder, 'app/dist')),
    'page.example.com': serveFolder(join(folder, 'page')),
    'blog.example.com': serveFolder(join(folder, 'page')),
  });
  const processes = [service, hono.process, express.process, site.process];
  return {
    local: hosts['id.example.com'],
    folder,
    browserArgs: [
      '--ignore-certificate-errors',
      ...[
        `--host-resolver-rules=MAP *.example.com 127.0.0.1:${proxy.port}, MAP *.example.net 127.0.0.1:${proxy.port}`,
      ],
    ],
    async tool(from, name, bin, ...args) {
      const manifest = createRequire(join(root, from, 'package.json')).resolve(`${name}/package.json`);
      const command = [join(manifest, '..', bin), ...args];
      const { stdout } = await run(process.execPath, command, { cwd: folder }).catch((error) => {
        throw new Error(`${name} failed:\n${error.stdout}${error.stderr}`);
      });
      return stdout;
    },
    passSixteenMinutes: async () => void (await Promise.all(processes.map(moveClock))),
    async stop() {
      await proxy.stop();
      await Promise.all([...processes.map((each) => each.stop()), provider.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Moves the clock of one process, as outside.mjs allows, and waits for the effect. */
async function moveClock({ lines, signal }: RunningProcess): Promise<void> {
  const moves = () => lines.join('').match(/^ahead by /gm)?.length ?? 0;
  const before = moves();
  signal('SIGUSR2');
  for (let attempt = 0; attempt < 400 && moves() === before; attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  if (moves() === before) throw new Error('a clock did not move');
}

function serviceSettings(
  folder: string,
  port: number,
  { issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string },
): Record<string, string> {
  return {
    ENVIRONMENT: 'production',
    PORT: String(port),
    BASE_URL: 'https://id.example.com',
    CLIENT_SUCCESS_URL: 'https://app.example.com/',
    ALLOWED_ORIGINS: 'https://page.example.com, https://site.example.com',
    COOKIE_DOMAIN: 'example.com',
    SECRET_KEY: randomBytes(32).toString('base64'),
    IDP_ISSUER: issuer,
    IDP_CLIENT_ID: clientId,
    IDP_CLIENT_SECRET: clientSecret,
    MAIL_TRANSPORT: 'outbox',
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
    TRUSTED_PROXIES: '127.0.0.1',
  };
}

/** A single npm install for all of them; the SDK comes from the running service. */
async function installApps(folder: string, service: string): Promise<void> {
  await cp(fixture, folder, { recursive: true });
  await writeFile(join(folder, 'hono.ts'), await recipe('Hono'));
  await writeFile(join(folder, 'express.ts'), await recipe('Express'));
  await writeFile(join(folder, 'site.ts'), await recipe('Pages that a server renders'));
  await mkdir(join(folder, 'page'));
  await writeFile(join(folder, 'page/index.html'), await scriptPage());
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  await run('npm', ['install', ...flags, `${service}/sdk/peridot-sdk.tgz`], { cwd: folder });
}

/** A page with the script element shown in docs/sdk.md. */
async function scriptPage(): Promise<string> {
  const [tag] =
    /<script src=[^>]*pid\.js"[^>]*><\/script>/s.exec(await readFile(join(root, 'docs/sdk.md'), 'utf8')) ??
    [];
  if (tag === undefined) throw new Error('docs/sdk.md shows no script element');
  return `<!doctype html><title>Page</title><link rel="icon" href="data:,"><p id="status">loading</p>
    <button id="login">Sign in</button><button id="logout">Sign out</button>${tag}<script>
      const baseUrl = 'https://id.example.com';
      window.pid = Pid.createClient({ baseUrl, popupBaseUrl: baseUrl });
      pid.subscribe(({ status, session }) => {
        document.querySelector('#status').textContent = session ? session.pid : status;
      });
      document.querySelector('#login').onclick = () => pid.auth.loginWithRedirect();
      document.querySelector('#logout').onclick = () => pid.auth.logout();
    </script>`;
}

const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };

function serveFolder(folder: string): Answer {
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://app.example.com');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const content = await readFile(join(folder, name)).catch(() => null);
    response.setHeader('Content-Type', types[extname(name)] ?? 'text/plain');
    response.writeHead(content === null ? 404 : 200).end(content);
  };
}
