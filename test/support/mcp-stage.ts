import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Page } from '../../checks/playwright.ts';
import { launchChromium } from './chromium.ts';
import { claimHandle } from './claim-page.ts';
import { freePort, runScript } from './processes.ts';

const run = promisify(execFile);

/** `npm start` on an empty database, and a person in Chromium. */
export interface McpStage {
  /** The service's address. */
  readonly issuer: string;
  readonly page: Page;
  /** An empty folder. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function openMcpStage(): Promise<McpStage> {
  const root = await mkdtemp(join(tmpdir(), 'peridot-mcp-'));
  const folder = join(root, 'packages');
  await mkdir(folder);
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const env = {
    PORT: `${port}`,
    BASE_URL: issuer,
    DATABASE_URL: `file:${join(root, 'peridot.db')}`,
    KV_URL: `file:${join(root, 'kv.db')}`,
  };
  const service = await runScript(['start'], env, async () => (await fetch(`${issuer}/readyz`)).ok);
  const browser = await launchChromium();
  const page = await (await browser.newContext()).newPage();
  return {
    issuer,
    page,
    folder,
    async close() {
      await browser.close();
      await service.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Installs packages in a folder. @returns the reason why they cannot be installed, such as no registry; null if they are */
export function install(folder: string, ...packages: string[]): Promise<string | null> {
  return run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder }).then(
    () => null,
    ({ message }: Error) => message,
  );
}

/** Signs a newcomer in. */
export async function signIn({ page, issuer }: McpStage, handle: string): Promise<void> {
  await page.goto(`${issuer}/signin?returnTo=self:/account/apps`);
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dewi Anggraini');
  await page.getByLabel('Email', { exact: true }).fill('dewi@example.com');
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, handle);
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
}

/** Allows a client's request; returns the text of the consent page. */
export async function allow({ page }: McpStage, url: string): Promise<string> {
  await page.goto(url);
  const text = await page.locator('main').innerText();
  const button = page.locator('[value=allow]');
  // The page ignores decisions in its first 800 ms.
  await expect
    .poll(async () => {
      if (await button.isVisible())
        await button.click({ noWaitAfter: true, timeout: 1000 }).catch(() => null);
      return page.url();
    })
    .toContain('/callback?');
  return text;
}
