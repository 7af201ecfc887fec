import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { randomBytes } from './random.ts';

const folder = 'data';
const file = `${folder}/dev-secret-key`;

/**
 * Creates a missing SECRET_KEY in development and stores it with the data, so that `npm start` needs no setup.
 */
export async function developmentSecret(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (env['SECRET_KEY'] || (env['ENVIRONMENT'] ?? 'development') !== 'development') return env;
  await mkdir(folder, { recursive: true });
  const made = Buffer.from(randomBytes(32)).toString('base64');
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return { ...env, SECRET_KEY: await readFile(file, 'utf8') };
}
