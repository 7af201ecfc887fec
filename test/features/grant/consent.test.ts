import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/db/database.ts';
import { consent, consentStatements, type GrantStage, startGrantStage } from '../../support/grants.ts';
import { mailsTo } from '../../support/mailbox.ts';

const stages: GrantStage[] = [];
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())));

async function start(): Promise<GrantStage> {
  const stage = await startGrantStage();
  stages.push(stage);
  return stage;
}

interface GrantRow {
  id: string;
  scopes: string;
  expires_at: number | null;
  revoked_by: string | null;
}

const grantsOf = ({ service }: GrantStage) =>
  service.rows<GrantRow>('SELECT id, scopes, expires_at, revoked_by FROM grants ORDER BY revoked_by IS NULL');
const eventsOf = async ({ service, app }: GrantStage) =>
  (
    await service.rows<{ type: string }>('SELECT type FROM webhook_events WHERE app_id = ? ORDER BY seq', [
      app,
    ])
  ).map(({ type }) => type);

describe('a consent', () => {
  it('creates one grant, shows it to the person, notifies the app, and extends the grant with later scopes', async () => {
    const stage = await start();
    await consent(stage, 'profile', 'openid');
    expect(await grantsOf(stage)).toMatchObject([{ scopes: '["openid","profile"]', revoked_by: null }]);
    await consent(stage, 'openid', 'email');
    expect(await grantsOf(stage)).toMatchObject([{ scopes: '["email","openid","profile"]' }]);
    expect(await eventsOf(stage)).toEqual(['grant.created']);
    const { browser, claims } = stage.person;
    const activity = (await (await browser.fetch('/v1/me/activity')).json()) as { data: object[] };
    expect(activity.data[0]).toMatchObject({ type: 'grant.created', app: 'Shop.example' });
    const mails = await mailsTo(stage.service, claims.email);
    expect(mails.map(({ kind }) => kind)).toEqual(['app_allowed']);
    // A name must not become a link, however an email program treats its dots.
    expect(JSON.stringify(mails)).toContain('Shop example');
    expect(JSON.stringify(mails)).not.toContain('Shop.example');
  });

  it('keeps only the newest 200 host permissions and resources of an app that changes its addresses', async () => {
    const stage = await start();
    await consent(stage, 'openid');
    const names = Array.from({ length: 200 }, (_, index) => `h${index + 1}.example`);
    await stage.service.rows('UPDATE grants SET hosts = ?, resources = ?', [
      JSON.stringify(names.map((name) => `${name} openid`)),
      JSON.stringify(names.map((name) => `https://${name}`)),
    ]);
    await consent(stage, 'email');
    const [grant] = await stage.service.rows<Record<string, string>>('SELECT hosts, resources FROM grants');
    const [hosts, resources] = [grant?.['hosts'], grant?.['resources']].map((list) => JSON.parse(list ?? ''));
    expect([hosts.length, hosts[0], hosts[199]]).toEqual([
      200,
      'app.example.com email',
      'h199.example openid',
    ]);
    expect([resources.length, resources[0]]).toEqual([200, 'https://h1.example']);
  });

  it('replaces an expired grant and never resets the amount spent under a live grant [D-81]', async () => {
    const stage = await start();
    await consent(stage, 'openid');
    await stage.service.rows('UPDATE grants SET spent_total = 7, uses = 1, expires_at = ?', [
      stage.service.now() + 60_000,
    ]);
    await consent(stage, 'email');
    expect(await stage.service.rows('SELECT spent_total, uses FROM grants')).toEqual([
      { spent_total: 7, uses: 1 },
    ]);
    await stage.service.rows('UPDATE grants SET expires_at = ?', [stage.service.now() - 1]);
    await consent(stage, 'openid');
    expect(await grantsOf(stage)).toMatchObject([
      { scopes: '["email","openid"]', revoked_by: 'expired' },
      { scopes: '["openid"]', revoked_by: null, expires_at: null },
    ]);
    expect(await eventsOf(stage)).toEqual(['grant.created', 'grant.revoked', 'grant.created']);
  });

  it('is safe to repeat after a lost response, and concurrent consents create only one grant', async () => {
    const stage = await start();
    const batch = await consentStatements(stage, ['openid']);
    await run(stage.service.deps.db, { change: batch });
    await run(stage.service.deps.db, { change: batch });
    await Promise.all(['profile', 'email', 'wallet:read', 'fiat:read'].map((scope) => consent(stage, scope)));
    expect(await grantsOf(stage)).toMatchObject([
      { scopes: '["email","fiat:read","openid","profile","wallet:read"]' },
    ]);
    expect(await eventsOf(stage)).toEqual(['grant.created']);
    const [{ id } = { id: '' }] = await grantsOf(stage);
    await stage.service.rows(`UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE id = ?`, [id]);
    await run(stage.service.deps.db, { change: batch });
    expect(await grantsOf(stage)).toMatchObject([{ id, revoked_by: 'person' }]);
  });

  it.each([
    [
      'a suspended app',
      (stage: GrantStage) => `UPDATE apps SET status = 'suspended' WHERE id = '${stage.app}'`,
    ],
    [
      'a suspended person',
      ({ person }: GrantStage) =>
        `UPDATE identities SET status = 'suspended' WHERE handle = '${person.handle}'`,
    ],
    [
      'a revoked session',
      ({ person }: GrantStage) =>
        `UPDATE sessions SET revoked_at = 1, revoked_reason = 'logout' WHERE handle = '${person.handle}'`,
    ],
  ])('creates no grant for %s', async (_, change) => {
    const stage = await start();
    await stage.service.rows(change(stage));
    await consent(stage, 'openid');
    expect(await grantsOf(stage)).toEqual([]);
    expect(await mailsTo(stage.service, stage.person.claims.email)).toEqual([]);
  });
});
