import { expect, it } from 'vitest';
import { newPayStage } from '../support/approvals.ts';
import { inquire, newHolder } from '../support/money.ts';
import { useService } from '../support/service.ts';

// One inquiry a minute for each caller, and ten for callers that share an address.
const target = useService({ RATE_LIMITS: '{"POST /v1/fiat/transfers/inquiry":1}' });

it('a visitor to the pages of many apps does not exhaust the inquiry limit of other visitors at the same address [D-92]', async () => {
  const stage = await newPayStage(target);
  const [other, shop] = [await newHolder(target, 1_000), await newHolder(target)];
  const statuses: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    const app = `app_many_${count}`;
    await target.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Many', 'spa', 1, 1)`,
      [app, shop.handle],
    );
    await target.rows('INSERT INTO app_origins (origin, app_id) VALUES (?, ?)', [
      `https://many-${count}.example.com`,
      app,
    ]);
    const headers = { Origin: `https://many-${count}.example.com`, 'X-App-Id': app };
    const asked = await stage.call(
      '/v1/fiat/transfers/inquiry',
      { to: `${shop.handle}@pid`, amount: 1 },
      undefined,
      headers,
    );
    statuses.push(asked.status);
  }
  expect(statuses).toEqual(Array(10).fill(200));
  expect((await inquire(other.browser, shop.handle, 1)).status).toBe(200);
});
