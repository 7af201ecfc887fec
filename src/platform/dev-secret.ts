import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { randomBytes } from './random.ts';

const folder = 'data';
const file = `${folder}/dev-secret-key`;

/**
 * In development a missing SECRET_KEY is made once and kept beside the data, so that `npm start` needs no
 * preparation. In production it stays missing, and the configuration refuses to start.
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
