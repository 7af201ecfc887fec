import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The names of all files below a folder, with `/` between folders. */
export function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ name, parentPath }) => relative(folder, join(parentPath, name)).split(sep).join('/'));
}
