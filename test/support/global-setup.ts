import type { TestProject } from 'vitest/node';
import { startLyingProvider } from './lying-provider.ts';
import { startPanvaProvider } from './panva-provider.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    lyingIssuer: string;
    panva: { issuer: string; clientId: string; clientSecret: string };
  }
}

/** Starts the identity providers that stand for the outside world, once for a project's test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lying = await startLyingProvider();
  const { stop, ...panva } = await startPanvaProvider({ redirectUris: [] });
  project.provide('lyingIssuer', lying.issuer);
  project.provide('panva', panva);
  return async () => {
    await lying.stop();
    await stop();
  };
}
