import { createId } from '../../src/lib/id.ts';
import { randomBytes } from '../../src/platform/random.ts';
import type { Target } from './target.ts';

/** Writes a grant as a consent does. @returns its id */
export async function insertGrant(
  target: Target,
  app: string,
  handle: string,
  scopes: readonly string[] = ['fiat:transfer', 'openid', 'profile'],
): Promise<string> {
  const id = createId('grt', target.now(), randomBytes);
  await target.rows('INSERT INTO grants (id, app_id, handle, scopes, created_at) VALUES (?, ?, ?, ?, ?)', [
    id,
    app,
    handle,
    JSON.stringify(scopes),
    target.now(),
  ]);
  return id;
}
