import { expect, it } from 'vitest';
import type { Statement } from '../../../src/db/database.ts';
import { anotherBrowser } from '../../support/answers.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { mailsTo } from '../../support/mailbox.ts';
import { newMember } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

it('a sign-in searches only the newest 500 activity lines for its device', async () => {
  const target = (await startService()) as InProcessTarget;
  const member = await newMember(target);
  const sent: Statement[] = [];
  const { batch } = target.deps.db;
  Object.assign(target.deps.db, {
    batch(statements: readonly Statement[]) {
      sent.push(...statements);
      return batch.call(target.deps.db, statements as never);
    },
  });
  const mailsAfter = async (lines: number) => {
    await target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO activity (handle, at, type, session_id)
        SELECT a.handle, a.at, 'profile.changed', a.session_id FROM n,
          (SELECT * FROM activity WHERE handle = ? ORDER BY seq DESC LIMIT 1) a`,
      [lines, member.handle],
    );
    await anotherBrowser(target, member, 'Known browser');
    return (await mailsTo(target, member.claims.email)).length;
  };
  expect(await mailsAfter(1)).toBe(1);
  await anotherBrowser(target, member, 'Other browser');
  expect(await mailsAfter(497)).toBe(2);
  await anotherBrowser(target, member, 'Other browser');
  expect(await mailsAfter(499)).toBe(3);
  const [look] = sent.filter(({ text }) => text.startsWith('INSERT INTO mails') && text.includes('activity'));
  const plan = await target.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${look?.text}`, look?.values ?? []);
  expect(
    plan.map(({ detail }) => detail).filter((line) => /activity|^(SCAN|SEARCH) [as]\b/.test(line)),
  ).toEqual([
    'SEARCH activity USING INDEX activity_handle (handle=?)',
    'SCAN a',
    'SEARCH s USING PRIMARY KEY (id=?)',
  ]);
});
