import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The contents of a folder's files. */
export async function readFolder(folder: string): Promise<Uint8Array[]> {
  const names = await readdir(folder);
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}
