import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startBreachServer } from './breach-server.ts';
import { startGithub } from './github-server.ts';
import { startHookServer } from './hook-server.ts';
import { installLibsqlServer } from './libsql-server.ts';
import { startLyingProvider } from './lying-provider.ts';
import type { MailServers } from './mail-driver.ts';
import { startMailServers } from './mail-servers.ts';
import { startMidtrans } from './midtrans-server.ts';
import { startPanvaProvider } from './panva-provider.ts';
import { type Release, readReleases } from './release-contents.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the leaked password service. */
    breachServer: string;
    /** The URL of the webhook receivers. */
    hooks: string;
    lyingIssuer: string;
    github: { baseUrl: string; clientId: string; clientSecret: string };
    mailServers: MailServers;
    /** The URL of the Midtrans stand-in: MIDTRANS_BASE_URL. */
    midtrans: string;
    /** The number of runs of each race. */
    raceRounds: number;
    /** The length of a money model run. */
    money: { runs: number; commands: number; seed: number | undefined };
    /** The data written by each release. */
    releases: readonly Release[];
    panva: { issuer: string; clientId: string; clientSecret: string };
  }
}

/** npm under Node 20 warns about tools that need a newer Node; the scripts run on the version installed by `npm ci`. */
function explainEngineWarning(): void {
  const [, major] = /node\/v(\d+)/.exec(process.env['npm_config_user_agent'] ?? '') ?? [];
  if (major === undefined || Number(major) >= 22) return;
  console.log(
    `npm runs on Node ${major}, and may have warned of EBADENGINE. Ignore that: the tests run on Node ${process.version}.`,
  );
}

/** A folder in memory, if one has enough space, because no test needs its database to survive a power cut. */
async function fastFolder(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room > 2 ** 31 ? memory : tmpdir();
}

/** Starts the outside world's identity providers and mail servers, once for a project's test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  explainEngineWarning();
  if (project.name === 'libsql' || project.name === 'server') installLibsqlServer();
  // Services shared between files are never closed, because their folders are deleted with the parent folder.
  const folder = await mkdtemp(join(await fastFolder(), 'peridot-tests-'));
  process.env['TMPDIR'] = folder;
  const lying = await startLyingProvider();
  const { stop, ...panva } = await startPanvaProvider({ redirectUris: [] });
  const { stop: stopGithub, ...github } = await startGithub();
  const { stop: stopMail, ...mailServers } = await startMailServers();
  const breach = await startBreachServer();
  const hooks = await startHookServer();
  const midtrans = await startMidtrans();
  project.provide('breachServer', breach.url);
  project.provide('hooks', hooks.url);
  project.provide('mailServers', mailServers);
  project.provide('midtrans', midtrans.url);
  project.provide('lyingIssuer', lying.issuer);
  project.provide('github', github);
  project.provide('panva', panva);
  project.provide('releases', readReleases(folder));
  return async () => {
    await lying.stop();
    await stop();
    await stopGithub();
    await stopMail();
    await breach.stop();
    await hooks.stop();
    await midtrans.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
