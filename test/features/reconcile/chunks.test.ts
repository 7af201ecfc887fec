import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { run } from '../../../src/db/database.ts';
import type { Deps } from '../../../src/deps.ts';
import { moneyInvariants } from '../../../src/features/admin/money-invariants.ts';
import { resolveReport, takeReport } from '../../../src/features/admin/reports.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { fundedWallet } from '../../support/money.ts';
import { creditDeposit, owedBy, providerReport, type Reported } from '../../support/reports.ts';

let files: ServiceFiles;
let service: InProcessTarget;
beforeAll(async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, { IDP_ISSUER: inject('lyingIssuer') });
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** Stops like a killed process: before a given batch, or after it with its response lost. */
function dyingAt(batches: number, isAfter: boolean): Deps {
  let left = batches;
  const { db } = service.deps;
  return {
    ...service.deps,
    db: {
      async batch(statements) {
        left -= 1;
        if (left === 0 && isAfter) await db.batch(statements);
        if (left <= 0) throw new Error('killed');
        return db.batch(statements);
      },
    },
  };
}

describe('a long report', () => {
  it('neither loses nor duplicates a line, even if posting is interrupted at any point', async () => {
    const account = await fundedWallet(service, 'the-payer', 1);
    const lines: Reported[] = [];
    for (let count = 1; count <= 1_200; count += 1) {
      const id = `dep_${String(count).padStart(26, '0')}`;
      if (count % 10 > 0) await creditDeposit(service, { id, account, gross: 10_000, at: 1_900_000_000_000 });
      lines.push({ id, day: '2030-03-17', gross: 10_000, fee: 70 });
    }
    const file = () => bytesOf(providerReport(lines));
    const { id } = await takeReport(service.deps, 'operator', { source: 'sandbox', file: file() });
    const decision = { id, decision: 'accept', reason: 'test' } as const;
    const kills = [2, 3, 4, 5, 6, 8].flatMap((at) => [dyingAt(at, false), dyingAt(at, true)]);
    let killed = 0;
    for (const deps of kills)
      await resolveReport(deps, 'operator', decision).catch((error: Error) => {
        expect(error.message).toBe('killed');
        killed += 1;
      });
    expect(killed).toBeGreaterThan(5);
    expect((await resolveReport(service.deps, 'operator', decision)).status).toBe('posted');
    expect(await owedBy(service, 'provider_fee')).toBe(1_080 * 70);
    expect(await service.rows('SELECT kind, count(*) AS n FROM reconciliation_cases GROUP BY kind')).toEqual([
      { kind: 'unknown_payment', n: 120 },
    ]);
    expect(await service.rows('SELECT net FROM provider_payouts')).toEqual([{ net: 1_200 * 9_930 }]);
    const broken = Object.entries(await run(service.deps.db, moneyInvariants(0)));
    expect(broken.filter(([, rows]) => rows.length > 0)).toEqual([]);
  });

  it('is rejected if it is too large, and its lines are deleted', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const [heading = ''] = providerReport([]).split('\r\n');
      yield* bytesOf(`${heading}\r\n`, `dep_a,pay,settlement,2030-03-17,5,0,5,IDR,x\r\n`);
      // One long line with a status that moves no money, repeated.
      const chunk = new TextEncoder().encode(
        `dep_a,pay,pending,${'x'.repeat(900)},5,0,5,IDR,x\r\n`.repeat(1_000),
      );
      for (;;) {
        given += chunk.byteLength;
        yield chunk;
      }
    }
    const taken = takeReport(service.deps, 'operator', { source: 'sandbox', file: endless() });
    await expect(taken).rejects.toMatchObject({ code: 'body_too_large' });
    expect(given).toBeLessThan(101 * 1024 * 1024);
    const left = `SELECT l.line FROM report_lines l JOIN reports r ON r.id = l.report WHERE r.status IN ('reading','rejected')`;
    expect(await service.rows(left)).toEqual([]);
  }, 60_000);
});
