import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from './random.ts';

const folder = 'data';
const file = `${folder}/dev-secret-key`;

/**
 * Creates a missing SECRET_KEY in development and stores it with the data, so that `npm start` needs no setup.
 */
export function developmentSecret(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env['SECRET_KEY'] || (env['ENVIRONMENT'] ?? 'development') !== 'development') return env;
  mkdirSync(folder, { recursive: true });
  const made = Buffer.from(randomBytes(32)).toString('base64');
  try {
    writeFileSync(file, made, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return { ...env, SECRET_KEY: readFileSync(file, 'utf8') };
}
