import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';
import { freePort, runScript } from './processes.ts';

const root = join(import.meta.dirname, '../..');
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Hosts that browsers resolve to this machine, as in a deployment: one service, sibling apps, and strangers. */
export interface SiblingHosts {
  /** The service, under a parent domain shared with the apps. */
  readonly service: string;
  /**
   * An app's address. `app`, `shop` and `id` are siblings of the service's host; a name with a dot is on another site.
   */
  app(name: string, path?: string): string;
  /** The same for Node, which cannot resolve these names: an address to fetch. */
  readonly local: string;
  readonly log: string[];
  stop(): Promise<void>;
}

/**
 * Starts the service at `id.pid.localhost` with COOKIE_DOMAIN, and one server for every app's pages.
 *
 * `/` is examples/spa, built against the service. `/raw` is a page with the SDK as `window.Pid`, whose button `#act`
 * opens the login popup, or makes the app given in `?app=` request a payment to Ayu. `?now` opens it without a click,
 * and `?ask` makes a blocked one wait for a click. `?tokens=` requests tokens for that app, or with `?code` the code
 * for its back end, and `/return`, the same page, accepts a popup's return. Any page sends the header given in
 * `?coop=`, and `/file` returns the text in `?body=`.
 */
export async function startSiblingHosts(variables: Record<string, string> = {}): Promise<SiblingHosts> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-hosts-'));
  const port = await freePort();
  const service = `http://id.pid.localhost:${port}`;
  const local = `http://127.0.0.1:${port}`;
  await buildExample(service, join(folder, 'spa'));
  const pages = await servePages(service, join(folder, 'spa'));
  const app = (name: string, path = '/') =>
    `http://${name.includes('.') ? name : `${name}.pid`}.localhost:${pages.port}${path}`;
  const env = {
    PORT: String(port),
    BASE_URL: service,
    COOKIE_DOMAIN: 'pid.localhost',
    CLIENT_SUCCESS_URL: app('app'),
    ALLOWED_ORIGINS: '',
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
    RATE_LIMITS: '{"*":1000000}',
    ...variables,
  };
  const running = await runScript(['start'], env, async () => (await fetch(`${local}/readyz`)).ok);
  return {
    service,
    app,
    local,
    log: running.lines,
    async stop() {
      await running.stop();
      await pages.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function buildExample(service: string, outDir: string): Promise<void> {
  process.env['VITE_PID_URL'] = service;
  await build({
    configFile: join(root, 'examples/spa/vite.config.ts'),
    build: { outDir },
    logLevel: 'error',
  });
}

async function servePages(service: string, folder: string): Promise<{ port: number; stop(): Promise<void> }> {
  const raw = `<!doctype html><title>Raw</title><button id="act">Act</button>
    <script src="${service}/sdk/v1/pid.js"></script>
    <script>
      const query = new URLSearchParams(location.search);
      const popup = query.has('ask') ? { onBlocked: (retry) => { act.onclick = retry; } } : {};
      const options = { baseUrl: '${service}', popupBaseUrl: '${service}', popup, logger() {} };
      window.pid = Pid.createClient(options);
      /** The one that opens the popup. */
      const appId = query.get('app') ?? query.get('tokens');
      window.client = appId ? Pid.createClient({ ...options, appId }) : pid;
      if (location.pathname === '/return') client.auth.handleReturn();
      window.outcomes = [];
      window.phases = [];
      client.on('popup', ({ phase }) => phases.push(phase));
      /** Records a promise's outcome for a test that reads it later. */
      window.keep = (promise) => promise.then(
        (value) => outcomes.push({ value }),
        ({ name, code, reason, message }) => outcomes.push({ error: { name, code, reason, message } }),
      );
      window.start = (call) => query.has('app')
        ? client.fiat.transferWithPopup({ to: 'ayu@pid', amount: 1000 }, call)
        : query.has('tokens') ? client.auth.tokensWithPopup({ scope: 'openid', redeem: !query.has('code'), ...call }) : pid.auth.loginWithPopup(call);
      if (!query.has('ask')) act.onclick = () => { keep(start()); };
      if (query.has('now')) keep(start());
    </script>`;
  const server = createServer(async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const coop = searchParams.get('coop');
    if (coop) answer.setHeader('Cross-Origin-Opener-Policy', coop);
    answer.setHeader('Cache-Control', 'no-store');
    answer.setHeader('Content-Type', types[extname(pathname)] ?? 'text/html');
    if (pathname === '/raw' || pathname === '/return') return answer.end(raw);
    if (pathname === '/file') return answer.end(searchParams.get('body') ?? '');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const text = await readFile(join(folder, name)).catch(() => null);
    return answer.writeHead(text === null ? 404 : 200).end(text ?? 'Not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
