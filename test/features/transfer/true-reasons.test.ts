import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import type { Inquiry } from '../../../src/features/transfer/schema.ts';
import { confirmTransfer } from '../../../src/features/transfer/transfer.ts';
import { sessionIdOf } from '../../support/answers.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { adjust, fundedWallet, gateway, inquire, newHolder } from '../../support/money.ts';
import type { Member } from '../../support/people.ts';

let files: ServiceFiles;
let service: InProcessTarget;
let payer: Member;
let payee: Member;
let wallet: number;
beforeAll(async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  });
  [payer, payee] = [await newHolder(service), await newHolder(service)];
  wallet = await fundedWallet(service, payer.handle, 0);
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

/** The service with another event before each of its batches. */
function meanwhile(act: (batch: number) => Promise<void>): Deps {
  let batches = 0;
  return {
    ...service.deps,
    db: {
      async batch(statements) {
        batches += 1;
        await act(batches);
        return service.deps.db.batch(statements);
      },
    },
  };
}

const receive = () => adjust(service, { from: gateway, to: wallet, amount: 100 });
const lose = () => adjust(service, { from: wallet, to: gateway, amount: 100 });

async function confirmWith(deps: Deps) {
  const { id: inquiryId } = (await (await inquire(payer.browser, payee.handle, 100)).json()) as Inquiry;
  const sessionId = await sessionIdOf(payer);
  const caller = {
    by: 'person',
    handle: payer.handle,
    sessionId,
    appId: null,
    grantId: null,
    scopes: null,
  } as const;
  return (await confirmTransfer(deps, caller, { inquiryId })).answer.status;
}

it('a confirmation succeeds if the money arrives between its rejection and the explanation [D-99]', async () => {
  expect(await confirmWith(meanwhile(async (batch) => (batch === 2 ? receive() : undefined)))).toBe(
    'completed',
  );
});

it('a rejected confirmation returns the reason that applies at the time of the explanation [D-99]', async () => {
  await expect(confirmWith(meanwhile(async () => {}))).rejects.toMatchObject({
    code: 'insufficient_internal_credit',
  });
});

it('a confirmation throws rather than guesses if the balance keeps changing between attempts [D-99]', async () => {
  const deps = meanwhile(async (batch) => (batch % 2 === 0 ? receive() : batch > 1 ? lose() : undefined));
  await expect(confirmWith(deps)).rejects.toThrow('refused without a reason');
  await lose();
});

it('a confirmation applies its own limits while an instance of another version keeps storing different ones', async () => {
  const none = { payment: null, day: null, month: null, held: null };
  const limits = (payment: number) => {
    const levels = { unverified: { ...none, payment }, verified: none };
    return { levels, json: JSON.stringify(levels) };
  };
  const other = meanwhile(async () => {
    await service.rows('UPDATE ledger SET limits = ?', [limits(1).json]);
  });
  const within = (payment: number): Deps => ({
    ...other,
    config: { ...other.config, limits: limits(payment) },
  });
  await receive();
  await expect(confirmWith(within(99))).rejects.toMatchObject({ code: 'limit_payment' });
  expect(await confirmWith(within(100))).toBe('completed');
  await service.rows('UPDATE ledger SET limits = NULL');
});
