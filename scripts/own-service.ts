import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '../checks/playwright.ts';

const root = join(import.meta.dirname, '..');

interface Stage {
  readonly browser: Browser;
  /** The service's variables. */
  readonly origin: string;
}

/**
 * Runs a script with its own service on Bun, and with the Chromium at /usr/bin/chromium or $CHROMIUM.
 * @param settings further variables of the service
 */
export async function withOwnService(
  run: (stage: Stage) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'peridot-pages-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = {
    ...process.env,
    PORT: String(port),
    BASE_URL: origin,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
    RATE_LIMITS: 'off',
    ...settings,
  };
  const bun = join(root, 'node_modules/.bin/bun');
  const server = spawn(bun, ['src/bun.ts'], { cwd: root, env, stdio: 'ignore' });
  try {
    await waitFor(`${origin}/readyz`, server);
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
    });
    await run({ browser, origin }).finally(() => browser.close());
  } finally {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

async function waitFor(address: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600 && server.exitCode === null; attempt += 1) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The service did not come up');
}
