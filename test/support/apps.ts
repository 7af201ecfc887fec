import type { NewApp } from '../../src/features/app/schema.ts';
import { type Browser, json } from './browser.ts';
import type { Target } from './target.ts';

/** A web app as a developer would fill in the form. */
export const shop = {
  name: 'Corner Shop',
  type: 'web',
  redirectUris: ['https://shop.example.com/callback'],
  allowedOrigins: ['https://shop.example.com'],
  homepageUrl: 'https://shop.example.com/',
};

/** Registers an app for the person in this browser. */
export async function newApp(browser: Browser, fields: Record<string, unknown> = {}): Promise<NewApp> {
  const answer = await browser.fetch('/v1/apps', json('POST', { ...shop, ...fields }));
  if (answer.status !== 200) throw new Error(`no app was made: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as NewApp;
}

/** Registers an app's resource, like an administrator. */
export async function ownResource(
  target: Pick<Target, 'rows'>,
  { resource, owner, clients = [] }: { resource: string; owner: string; clients?: readonly string[] },
): Promise<void> {
  await target.rows(
    `INSERT INTO app_resources (resource, app_id, origin, clients, proven_by) VALUES (?, ?, ?, ?, 'desk')`,
    [resource, owner, new URL(resource).origin, JSON.stringify(clients)],
  );
}

/** Marks an app as checked, like an administrator. */
export async function markChecked(target: Pick<Target, 'rows'>, id: string): Promise<void> {
  await target.rows('UPDATE apps SET checked_at = 1 WHERE id = ?', [id]);
}

/** Marks an app as first-party, like an administrator. */
export async function markFirstParty(target: Pick<Target, 'rows'>, id: string): Promise<void> {
  await target.rows('UPDATE apps SET checked_at = 1, first_party_at = 1 WHERE id = ?', [id]);
}
