import { describe, expect, it } from 'vitest';
import { settledLog } from '../support/answers.ts';
import { useService } from '../support/service.ts';

const target = useService({ RATE_LIMITS: '{"POST /v1/auth/login":2}', LOG_LEVEL: 'debug' });
const linesOf = async (event: string) =>
  (await settledLog(target)).filter((line) => line.includes(`"event":"${event}"`));

describe('the log', () => {
  it('reports an origin missing from ALLOWED_ORIGINS once a minute, with the setting', async () => {
    const ask = (origin: string, method = 'GET') =>
      target.request('/v1/auth/session', { method, headers: { Origin: origin } });
    const shop = 'https://shop.example.com';
    for (const method of ['OPTIONS', 'GET', 'GET', 'POST']) await ask(shop, method);
    await ask(target.origin);
    const [line = '', ...others] = await linesOf('origin.not_allowed');
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', origin: shop });
    expect(line).toContain('ALLOWED_ORIGINS');
    await target.advance(61);
    await ask(shop);
    expect(await linesOf('origin.not_allowed')).toHaveLength(2);
  });

  it('has at most one line a minute for all the origins that one address invents', async () => {
    await target.advance(61);
    const before = (await linesOf('origin.not_allowed')).length;
    for (let index = 0; index < 150; index += 1)
      await target.request('/healthz', { headers: { Origin: `https://x${index}.example` } });
    expect((await linesOf('origin.not_allowed')).length - before).toBe(1);
  });

  it('reports once a minute that an address is limited on a route', async () => {
    for (let count = 0; count < 8; count += 1) await target.request('/v1/auth/login', { method: 'POST' });
    const [line = '', ...others] = await linesOf('request.limited');
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      status: 429,
      path: '/v1/auth/login',
      address: '127.0.0.1',
    });
  });
});
