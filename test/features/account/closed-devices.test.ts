import { expect, it } from 'vitest';
import { anotherBrowser } from '../../support/answers.ts';
import { json } from '../../support/browser.ts';
import { newMember } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

it('closing an identity erases the devices in its newest 500 activity lines, and the purge erases the rest in batches of 500', async () => {
  const target = await startService();
  const [member, other] = [await newMember(target), await newMember(target)];
  await anotherBrowser(target, other, 'Stranger');
  const old = await anotherBrowser(target, member, 'Old device');
  await old.fetch('/v1/auth/logout', { method: 'POST' });
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO activity (handle, at, type) SELECT ?, 1, 'profile.changed' FROM n`,
    [member.handle],
  );
  const newest = await anotherBrowser(target, member, 'New device');
  const agents = async (handle: string) =>
    (
      await target.rows<{ user_agent: string }>(
        'SELECT user_agent FROM sessions WHERE handle = ? AND user_agent IS NOT NULL ORDER BY id',
        [handle],
      )
    ).map((row) => row.user_agent);
  expect((await newest.fetch('/v1/me', json('DELETE', { handle: member.handle }))).status).toBe(204);
  expect(await agents(member.handle)).toEqual(['Old device']);
  await target.request('/dev/scheduled', { method: 'POST' });
  expect(await agents(member.handle)).toEqual([]);
  expect(await agents(other.handle)).toEqual(['Stranger']);
  expect(await target.rows('SELECT handle FROM identities WHERE devices_below IS NOT NULL')).toEqual([]);
});

it('a closed identity with many activity lines does not delay the erasure of others', async () => {
  const target = await startService();
  const [large, small] = [await newMember(target, 'aaa-large'), await newMember(target, 'zzz-small')];
  const addLines = (handle: string, lines: number) =>
    target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO activity (handle, at, type) SELECT ?, ?, 'profile.changed' FROM n`,
      [lines, handle, target.now()],
    );
  await addLines('aaa-large', 12_000);
  await addLines('zzz-small', 1_200);
  for (const { browser, handle } of [large, small])
    expect((await browser.fetch('/v1/me', json('DELETE', { handle }))).status).toBe(204);
  await target.request('/dev/scheduled', { method: 'POST' });
  expect(await target.rows('SELECT handle FROM identities WHERE devices_below IS NOT NULL')).toEqual([
    { handle: 'aaa-large' },
  ]);
});
