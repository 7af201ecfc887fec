import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureInstalled } from '../../scripts/installed.ts';
import installChecks from './install-checks.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The reason why the packages of test/clients cannot be installed, such as no registry; null if they are. */
    noClientPackages: string | null;
  }
}

/** The browser, and the third-party clients that are npm packages. */
export default function setup(project: TestProject): void {
  installChecks();
  project.provide('noClientPackages', reasonNotToInstall(join(import.meta.dirname, '../clients')));
}

function reasonNotToInstall(folder: string): string | null {
  try {
    ensureInstalled(folder);
    return null;
  } catch (error) {
    const [command, reason = ''] = (error as Error).message.split('\n');
    return `the packages of test/clients cannot be installed: ${command}: ${reason}`;
  }
}
