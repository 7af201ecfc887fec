import { appScopes } from '../../src/features/app/schema.ts';
import { createId } from '../../src/lib/id.ts';
import { recipientOf } from '../../src/lib/origin.ts';
import { randomBytes } from '../../src/platform/random.ts';
import type { Target } from './target.ts';

/** Inserts a grant like consents for each of the app's origins. @returns the id of the grant */
export async function insertGrant(
  target: Target,
  app: string,
  handle: string,
  scopes: readonly string[] = ['fiat:transfer', 'openid', 'profile'],
): Promise<string> {
  const id = createId('grt', target.now(), randomBytes);
  const origins = await target.rows<{ origin: string }>('SELECT origin FROM app_origins WHERE app_id = ?', [
    app,
  ]);
  const hosts = JSON.stringify(
    origins.flatMap(({ origin }) => appScopes.map((scope) => `${recipientOf(origin)} ${scope}`)),
  );
  await target.rows(
    'INSERT INTO grants (id, app_id, handle, scopes, hosts, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [id, app, handle, JSON.stringify(scopes), hosts, target.now()],
  );
  return id;
}
