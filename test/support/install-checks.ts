import { join } from 'node:path';
import { ensureInstalled } from '../../scripts/installed.ts';

/** The browser tests' own packages. */
export default function setup(): void {
  ensureInstalled(join(import.meta.dirname, '../../checks'));
}
