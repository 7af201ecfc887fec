import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The contents of the files in a folder and in those below it. */
export async function readFolder(folder: string): Promise<Uint8Array[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
}
