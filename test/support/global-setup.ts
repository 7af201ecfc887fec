import type { TestProject } from 'vitest/node';
import { startBreachServer } from './breach-server.ts';
import { startGithub } from './github-server.ts';
import { installLibsqlServer } from './libsql-server.ts';
import { startLyingProvider } from './lying-provider.ts';
import type { MailServers } from './mail-driver.ts';
import { startMailServers } from './mail-servers.ts';
import { startPanvaProvider } from './panva-provider.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the service that knows leaked passwords is. */
    breachServer: string;
    lyingIssuer: string;
    github: { baseUrl: string; clientId: string; clientSecret: string };
    mailServers: MailServers;
    panva: { issuer: string; clientId: string; clientSecret: string };
  }
}

/** Starts the identity providers and mail servers that stand for the outside world, once for a project's test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.name === 'libsql' || project.name === 'server') installLibsqlServer();
  const lying = await startLyingProvider();
  const { stop, ...panva } = await startPanvaProvider({ redirectUris: [] });
  const { stop: stopGithub, ...github } = await startGithub();
  const { stop: stopMail, ...mailServers } = await startMailServers();
  const breach = await startBreachServer();
  project.provide('breachServer', breach.url);
  project.provide('mailServers', mailServers);
  project.provide('lyingIssuer', lying.issuer);
  project.provide('github', github);
  project.provide('panva', panva);
  return async () => {
    await lying.stop();
    await stop();
    await stopGithub();
    await stopMail();
    await breach.stop();
  };
}
