import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fault, FaultyDatabase } from '../../support/break-database.ts';
import { type Browser, json, openBrowser } from '../../support/browser.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newPasswordMember } from '../../support/passwords.ts';

let target: InProcessTarget;
let database: FaultyDatabase;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({ RATE_LIMITS: '{"*":1000000}' }));
});
afterAll(() => target.close());

const person: Record<string, () => Promise<Browser>> = {
  nobody: async () => openBrowser(target),
  'a member': async () => (await newPasswordMember(target)).browser,
};

it.each<[string, string, Fault]>([
  ['/v1/auth/passkey/options', 'nobody', 'lost before'],
  ['/v1/auth/passkey/options', 'nobody', 'lost after'],
  ['/v1/auth/passkey/options', 'a member', 'lost after'],
  ['/v1/auth/passkey/register/options', 'nobody', 'lost after'],
  ['/v1/credentials/passkey/options', 'a member', 'lost after'],
])('%s for %s creates only one challenge if the response to its batch is %s', async (path, who, fault) => {
  const browser = await person[who]?.();
  if (!browser) throw new Error('nobody to ask');
  const count = async () => (await target.rows('SELECT hash FROM passkey_challenges')).length;
  const before = await count();
  database.plan([fault]);
  const answer = await browser.fetch(path, json('POST', {}));
  database.plan([]);
  expect([answer.status, await count()]).toEqual([200, before + 1]);
});
