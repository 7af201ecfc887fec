import { expect, it } from 'vitest';
import { feesInForce } from '../../../src/features/ledger/fees.ts';
import { newApp } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import { newMember } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

it('current fees are found by key, however many versions there are', async () => {
  const service = await startService();
  const { text, values } = feesInForce('app_1', 'transfer');
  const plan = await service.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values as string[]);
  const reads = plan.map(({ detail }) => detail).filter((line) => / (f|latest) USING /.test(line));
  expect(reads).toEqual([
    'SEARCH f USING PRIMARY KEY (scope=? AND operation=? AND version>?)',
    'SEARCH latest USING PRIMARY KEY (scope=? AND operation=?)',
  ]);
});

it('a person can create at most 100 fee versions a day across all their apps', async () => {
  const service = await startService();
  const { browser, handle } = await newMember(service);
  const [first, second] = [await newApp(browser), await newApp(browser)];
  const put = (id: string, fixed: number) =>
    browser.fetch(`/v1/apps/${id}/fees/transfer`, json('PUT', { fixed, bps: 0 }));
  const dayMs = 86_400_000;
  await service.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
      INSERT INTO fee_versions SELECT ?, 'transfer', i, i, 0, 0, NULL, 'payer', ?, ? FROM n`,
    [first.id, handle, service.now() - dayMs + 60_000],
  );
  expect((await put(first.id, 500)).status).toBe(200);
  const refused = await put(second.id, 500);
  expect([refused.status, refused.headers.get('X-Error-Code'), refused.headers.get('Retry-After')]).toEqual([
    429,
    'rate_limited',
    '60',
  ]);
  expect(await service.rows('SELECT * FROM accounts WHERE owner = ?', [second.id])).toEqual([]);
  expect((await put(first.id, 500)).status).toBe(200);
  await service.advance(61);
  expect((await put(second.id, 500)).status).toBe(200);
});
