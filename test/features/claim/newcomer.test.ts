import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../../src/db/database.ts';
import type { Deps } from '../../../src/deps.ts';
import { signInOrClaim } from '../../../src/features/claim/newcomer.ts';
import type { ProvenAccount } from '../../../src/features/sign-in/proven-credential.ts';
import { handleSkeleton } from '../../../src/lib/look-alike.ts';
import type { Fault, FaultyDatabase } from '../../support/break-database.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { countAccounts } from '../../support/outcomes.ts';

let target: InProcessTarget;
let database: FaultyDatabase;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({ INTERFACE_REVISION: 'direct' }));
});
afterAll(() => target.close());

const context = {
  client: { address: '127.0.0.1', userAgent: null, country: null, requestId: 'test' },
  scope: 'h',
  replaces: null,
  popup: null,
} as const;

const isClaim: (statements: readonly Statement[]) => boolean = (statements) =>
  statements.some(({ text }) => text.startsWith('INSERT INTO identities'));

let people = 0;

function newcomer(displayName: string): ProvenAccount {
  people += 1;
  const email = `newcomer.${people}@example.com`;
  const common = { provider: 'idp', shownEmail: email, verifiedEmail: email, locale: null } as const;
  return { ...common, subject: `newcomer-${people}`, displayName };
}

async function handleOf(deps: Deps, credential: ProvenAccount): Promise<string> {
  const outcome = await signInOrClaim(deps, credential, context);
  return outcome.type === 'signed_in' ? outcome.tokens.claims.handle : 'a ticket';
}

/** Makes random handles identical while active; ids and tokens, which are longer, stay different. */
function withoutLuck(deps: Deps, isUnlucky: () => boolean): Deps {
  return {
    ...deps,
    randomBytes: (n) => (n <= 6 && isUnlucky() ? new Uint8Array(n) : deps.randomBytes(n)),
  };
}

describe('signInOrClaim in revision direct', () => {
  it('takes the first available suggestion, in order', async () => {
    const unlucky = withoutLuck(target.deps, () => true);
    const handles: string[] = [];
    for (let count = 0; count < 5; count += 1) handles.push(await handleOf(unlucky, newcomer('Dewi Ayu')));
    expect(handles).toEqual(['dewi.ayu', 'dewi.ayu2', 'dewi.ayu3', 'dewi.ayu.22', 'dewi.ayu.222222']);
  });

  it('copies the PID to the journal as soon as it is issued', async () => {
    const handle = await handleOf(target.deps, newcomer('Fajar Nugroho'));
    expect(JSON.parse((await target.deps.kv.get(`pid:issued:${handle}`)) ?? 'null')).toMatchObject({
      skeleton: handleSkeleton(handle),
    });
  });

  it('tries one more set of suggestions if all are taken, then gives up without creating anything', async () => {
    const unlucky = withoutLuck(target.deps, () => true);
    for (let count = 0; count < 5; count += 1) await handleOf(unlucky, newcomer('Eko Putra'));
    let rounds = 0;
    const db: Deps['db'] = {
      batch(statements) {
        rounds += isClaim(statements) ? 1 : 0;
        return target.deps.db.batch(statements);
      },
    };
    const recovers = withoutLuck({ ...target.deps, db }, () => rounds === 0);
    const handle = await handleOf(recovers, newcomer('Eko Putra'));
    expect([rounds, handle]).toEqual([2, expect.stringMatching(/^eko\.putra\.[2-9]{2}$/)]);

    const before = await countAccounts(target);
    rounds = 0;
    const never = withoutLuck({ ...target.deps, db }, () => true);
    await expect(signInOrClaim(never, newcomer('Eko Putra'), context)).rejects.toMatchObject({
      ...{ code: 'unavailable', status: 503 },
    });
    expect(rounds).toBe(2);
    expect(await countAccounts(target)).toEqual(before);
    expect(await target.rows('SELECT id FROM decisions')).toEqual([]);
  });

  it('signs in to the identity that another tab created between its two attempts', async () => {
    const unlucky = withoutLuck(target.deps, () => true);
    for (let count = 0; count < 5; count += 1) await handleOf(unlucky, newcomer('Fajar Nugraha'));
    const person = newcomer('Fajar Nugraha');
    let other: string | undefined;
    const db: Deps['db'] = {
      async batch(statements) {
        const rows = await target.deps.db.batch(statements);
        if (isClaim(statements)) other ??= await handleOf(target.deps, person);
        return rows;
      },
    };
    const handle = await handleOf(
      withoutLuck({ ...target.deps, db }, () => other === undefined),
      person,
    );
    expect(other).toMatch(/^fajar\.nugraha\./);
    expect(handle).toBe(other);
    const identities = await target.rows('SELECT 1 FROM credentials WHERE provider_user_id = ?', [
      person.subject,
    ]);
    expect(identities.length).toBe(1);
  });

  it('creates one identity and one session after a lost response', async () => {
    const plans: [name: string, handle: string, faults: Fault[]][] = [
      ['Gita Sign In', 'gita.sign.in', ['lost before']],
      ['Gita Signed In', 'gita.signed.in', ['lost after']],
      ['Gita Claim', 'gita.claim', ['none', 'lost before']],
      ['Gita Claimed', 'gita.claimed', ['none', 'lost after']],
    ];
    for (const [name, expected, faults] of plans) {
      const person = newcomer(name);
      for (const more of [{ identities: 1, profiles: 1, credentials: 1, emails: 1, claim_tickets: 1 }, {}]) {
        const before = await countAccounts(target);
        database.plan(faults);
        expect(await handleOf(target.deps, person)).toBe(expected);
        database.plan([]);
        const after = await countAccounts(target);
        const added = Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]);
        const none = { identities: 0, profiles: 0, credentials: 0, emails: 0, claim_tickets: 0 };
        expect(Object.fromEntries(added)).toEqual({ ...none, ...more, sessions: 1 });
      }
    }
  });

  it('leaves only an unused ticket behind if its second batch fails completely', async () => {
    const before = await countAccounts(target);
    database.plan(['none', 'down before']);
    const lost = signInOrClaim(target.deps, newcomer('Hana'), context);
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    const tickets = (before['claim_tickets'] ?? 0) + 1;
    expect(await countAccounts(target)).toEqual({ ...before, claim_tickets: tickets });
  });

  it('leaves nothing behind if its first batch fails completely', async () => {
    const before = await countAccounts(target);
    database.plan(['down before']);
    const lost = signInOrClaim(target.deps, newcomer('Hana'), context);
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect(await countAccounts(target)).toEqual(before);
  });
});
