import { describe, expect, it } from 'vitest';
import { type Database, run, type Statement } from '../../src/db/database.ts';
import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import { openChanged } from '../support/memory-database.ts';
import { simulate } from './money-simulation.ts';
import { openWorld, sendAdjustment, sendConfirm, sendInquiry, type Tally } from './money-world.ts';

/** Replaces part of the text. */
type Change = readonly [from: string | RegExp, to: string];

interface Pair {
  /** The condition in the transfer statements, which rejects with a reason. */
  readonly condition: readonly Change[];
  /** The unconditional guards in the database: a part of the migrations, or a trigger by name. */
  readonly guards: readonly (Change | string)[];
  /** For deposits only. */
  readonly withGateway?: boolean;
  /** The factor by which a rare situation needs more runs than usual. */
  readonly rarity?: number;
}

/** Uses the current fee, if it is higher, instead of the deposit fee shown at checkout. */
const shown = (name: string) => `coalesce(json_extract(deposits.fee_rules, '$.app.${name}'), 0)`;
const feeOfToday = `coalesce((SELECT json_object('platform', NULL, 'app', json_object('fixed', max(f.fixed, ${shown('fixed')}),
    'bps', max(f.bps, ${shown('bps')}), 'least', f.least, 'most', f.most, 'payer', f.payer)) FROM fee_versions f
  WHERE f.scope = deposits.app_id AND f.operation = 'deposit' ORDER BY f.version DESC LIMIT 1), deposits.fee_rules)`;

const check = (name: string): Change => [new RegExp(`\\n *CONSTRAINT ${name} CHECK .*`), ''];
const raise = (name: string): Change => [
  new RegExp(`SELECT RAISE\\(ABORT, 'guard:${name}'\\)\\s+(FROM|WHERE)[^;]*;`),
  '',
];
const frozenAccounts: Change = [`(d.status = 'active' AND c.status = 'active')`, '1'];

const pairs: Record<string, Pair> = {
  'spending more than the balance': {
    condition: [['debits_pending >= t.debit_total', '$& OR 1']],
    guards: [check('insufficient_internal_credit')],
  },
  'refunding more than the balance': {
    condition: [[/(debits_pending >= (\(o\.net_amount - o\.refunded\)|CAST\(\? AS INTEGER\)))/, '$1 OR 1']],
    guards: [check('insufficient_internal_credit')],
  },
  'confirming twice': {
    condition: [
      [`t.status NOT IN ('confirmed','reversed')`, '1'],
      [`t.status = 'open' AND t.expires_at`, 't.expires_at'],
    ],
    guards: [
      raise('transfer_order'),
      raise('transfer_fixed'),
      ['CONSTRAINT leg_once UNIQUE (kind, ref, n),', ''],
    ],
  },
  'confirming too late': {
    condition: [['t.expires_at > ?', '$& OR 1']],
    guards: [check('transfer_in_time')],
  },
  'paying while the ledger is closed': {
    condition: [
      [`m.mode <> 'disabled'`, '1'],
      [`m.mode = 'open'`, '1'],
    ],
    guards: [[/m\.id = 1\s+AND m\.mode = 'open'/, 'm.id = 1']],
  },
  'paying from a frozen wallet': {
    condition: [
      [`a.status <> 'closed'`, '1'],
      [`a.status = 'active'`, '1'],
    ],
    guards: [frozenAccounts],
  },
  'paying into a frozen wallet': {
    condition: [[`b.status = 'active'`, '1']],
    guards: [frozenAccounts],
  },
  'spending more than a grant allows in total': {
    condition: [[/AND t\.debit_total \+ g\.spent_total <= coalesce\(g\.total_limit, \d+\)/, '']],
    guards: ['grant_limit'],
  },
  'spending more than a grant allows per period': {
    condition: [[/<= coalesce\(g\.per_period, (\d+)\)/, '<= $1']],
    guards: ['grant_limit'],
  },
  'spending more often than a grant allows': {
    condition: [[/AND g\.uses < coalesce\(g\.max_uses, \d+\)/, '']],
    guards: ['grant_limit'],
  },
  'spending more than a grant allows at once': {
    condition: [[/AND t\.debit_total <= coalesce\(g\.per_transfer, \d+\)/, '']],
    guards: [raise('grant_limit_exceeded')],
  },
  'paying a recipient that a grant does not allow': {
    condition: [['(g.payees IS NULL OR t.payee IN (SELECT value FROM json_each(g.payees)))', '1']],
    guards: [raise('grant_recipient')],
  },
  'taking a fee that a grant does not cover': {
    condition: [['t.app_fee <= (t.amount * g.fee_bps + 9999) / 10000 + g.fee_fixed', '1']],
    guards: [raise('transfer_fee_granted')],
  },
  'taking a deposit fee that was not shown': {
    condition: [['deposits.fee_rules FROM', `${feeOfToday} AS fee_rules FROM`]],
    guards: ['deposit_fee_shown', check('deposit_app')],
    withGateway: true,
  },
  'paying out money held by a wallet with a debt': {
    condition: [['AND a.debt = 0', '']],
    guards: ['withdrawal_debt'],
    withGateway: true,
    rarity: 3,
  },
  'spending under an expired grant': {
    condition: [
      ['g.expires_at <= ?)) IS NOT TRUE', '$& OR t.needs_approval = 0'],
      ['t.grant_id IS NULL OR EXISTS', 't.grant_id IS NULL OR t.needs_approval = 0 OR EXISTS'],
    ],
    guards: ['grant_revoked_final', raise('grant_expired')],
  },
  'paying without an approval': {
    condition: [
      [`p.status NOT IN ('denied','cancelled','invalid','redeemed') AND`, ''],
      [`p.status = 'approved' AND p.decided_at`, 'p.decided_at'],
    ],
    guards: [raise('transfer_approved')],
  },
  'paying with another opener’s approval': {
    condition: [['p.verifier_hash = ?', '(p.verifier_hash = ? OR 1)']],
    guards: [raise('transfer_approved')],
  },
  'paying with an expired approval': {
    condition: [['p.decided_at + CAST(? AS INTEGER) > ?', '(p.decided_at + CAST(? AS INTEGER) > ? OR 1)']],
    guards: [raise('transfer_approved')],
  },
  'capturing more than was held': {
    condition: [['t.amount >= ?', '$& OR 1']],
    guards: ['transfer_amounts_fixed', [' AND debit_total <= held_total', '']],
  },
  'capturing a hold that has expired': {
    condition: [[`t.status = 'open' AND t.expires_at > ?`, `t.status = 'open' AND (t.expires_at > ? OR 1)`]],
    guards: [check('transfer_in_time')],
  },
  'exceeding an outflow limit': {
    condition: [['total <= min(x.once, x.today, x.this_month)', 'total >= 0']],
    guards: [raise('limit_exceeded')],
  },
  'exceeding the recipient’s balance limit': {
    condition: [['t.net_amount > wl.held - wl.holds', '0']],
    guards: [[/NEW\.kind IN \('transfer', 'sweep'\)/, `NEW.kind = 'sweep'`]],
  },
  'refunding more than was received': {
    condition: [['BETWEEN 1 AND o.net_amount - o.refunded', '>= 1']],
    guards: [check('transfer_refunded')],
  },
  'refunding a refund': {
    condition: [['o.refund_of IS NULL AND o.confirmed_at', 'o.confirmed_at']],
    guards: [raise('refund_whole'), check('transfer_refund')],
  },
  'refunding after a year': {
    condition: [
      ['o.confirmed_at + CAST(? AS INTEGER) > ?', '(o.confirmed_at + CAST(? AS INTEGER) > ? OR 1)'],
    ],
    guards: [raise('refund_whole')],
    rarity: 5,
  },
};

/** The migrated database without some of its guards, with statements that lack some of their conditions. */
async function openWithout(guards: Pair['guards'], conditions: Pair['condition']) {
  const changes = guards.filter((guard) => typeof guard !== 'string');
  const unused = new Set(changes);
  const { db, close } = await openChanged((text) => replace(text, changes, unused));
  expect([...unused]).toEqual([]);
  for (const guard of guards) {
    if (typeof guard === 'string') await db.batch([{ text: `DROP TRIGGER ${guard}`, values: [] }]);
  }
  const seen = new Map<string, string>();
  const mutate = (one: Statement) => {
    // Statements that explain a rejection stay unchanged; reads that precede a decision do not.
    if (one.text.startsWith('SELECT') && !one.text.includes('deposits.fee_rules')) return one;
    const text = seen.get(one.text) ?? replace(one.text, conditions);
    seen.set(one.text, text);
    return { ...one, text };
  };
  const mutated: Database = { batch: (statements) => db.batch(statements.map(mutate)) as never };
  return { db: mutated, close };
}

function replace(text: string, changes: readonly Change[], unused?: Set<Change>): string {
  return changes.reduce((before, change) => {
    const after = before.replace(...change);
    if (after !== before) unused?.delete(change);
    return after;
  }, text);
}

async function simulateWithout({ guards, condition, withGateway = false, rarity = 1 }: Pair): Promise<Tally> {
  const { db, close } = await openWithout(guards, condition);
  try {
    const runs = rarity * (withGateway ? 80 : 40);
    return await simulate(db, { runs, commands: 200, seed: 16, isMutated: true, withGateway });
  } finally {
    close();
  }
}

const guarded = (tally: Tally) => [...tally.keys()].filter((name) => name.endsWith(': guarded'));

it('the model finds no error if all of these database guards are missing but the conditions remain', async () => {
  const all = Object.values(pairs).flatMap(({ guards }) => guards);
  const once = new Map(all.map((guard) => [typeof guard === 'string' ? guard : String(guard[0]), guard]));
  const every = { guards: [...once.values()], condition: [] };
  expect(guarded(await simulateWithout(every))).toEqual([]);
});

// The longest run takes half a minute on a busy machine, and a failing run is then shrunk.
describe.each(Object.entries(pairs))('%s', { timeout: 300_000 }, (_what, pair) => {
  it('is rejected by the database if the condition is missing [S-18]', async () => {
    expect(guarded(await simulateWithout({ ...pair, guards: [] }))).not.toEqual([]);
  });

  it('is detected by the model if both are missing', async () => {
    await expect(simulateWithout(pair)).rejects.toThrow(/Property failed/);
  });
});

/** The service never stores such a row, so it occurs in no run of the model. */
describe('an inquiry that is invalid from the start', () => {
  interface Case {
    readonly guards: Pair['guards'];
    readonly conditions: readonly Change[];
    readonly byApp: boolean;
  }

  /** Pays, and returns the last step's verdict and the violated invariants. */
  async function pay({ guards, conditions, byApp }: Case): Promise<[string, string[]]> {
    const { db, close } = await openWithout(guards, conditions);
    try {
      const world = await openWorld(db, { name: 'wrong', tally: new Map(), isMutated: true });
      const account = (name: number | string) => world.accounts.get(name) ?? 0;
      const [payer = '', payee = ''] = world.people.map(({ handle }) => handle);
      for (const to of [account(0), account(1)])
        await sendAdjustment(world, { kind: 'correction', from: account('gateway'), to, amount: 100 });
      const ids = { id: 'wrong', payer, app: byApp ? world.app : null, now: world.now };
      const accounts = { payerAccount: account(0), payeeAccount: account(1), appAccount: null };
      const amounts = { amount: 100, payerFee: 0, payeeFee: 0, appFee: 0, platformFee: 0 };
      const rest = { payee, grant: null, needsApproval: false, aboveStepUp: 0, memo: null };
      const stored = await sendInquiry(world, { ...ids, ...accounts, ...amounts, ...rest });
      if (stored !== 'stored') return [stored, []];
      const session = { sessionId: world.people[0]?.session ?? '', approvalId: null, verifierHash: null };
      const answer = await sendConfirm(world, { ...ids, requestId: 'op', ...session });
      const broken = await run(db, moneyInvariants(0));
      return [answer, Object.keys(broken).filter((name) => broken[name]?.length)];
    } finally {
      close();
    }
  }

  it('cannot pay an app without a grant or approval if the condition or the guard remains, and is detected if both are missing', async () => {
    const conditions: Change[] = [
      ['t.grant_id IS NOT NULL AND ?', '?'],
      ['t.needs_approval = 1 OR (t.app_fee', 't.needs_approval = 1 OR g.id IS NULL OR (t.app_fee'],
    ];
    const guards = [raise('transfer_granted')];
    expect(await pay({ guards, conditions: [], byApp: true })).toEqual(['approval_required', []]);
    expect(await pay({ guards: [], conditions, byApp: true })).toEqual(['guarded', []]);
    expect(await pay({ guards, conditions, byApp: true })).toEqual(['confirmed', ['consented']]);
  });

  it('cannot take money from another person’s wallet if the condition or the guard remains, and is detected if both are missing', async () => {
    const conditions: Change[] = [
      ['payer_account, payee_account, app_account', 'payee_account, payer_account, app_account'],
    ];
    const guards = ['transfer_wallets'];
    expect(await pay({ guards, conditions: [], byApp: false })).toEqual(['confirmed', []]);
    expect(await pay({ guards: [], conditions, byApp: false })).toEqual(['guarded', []]);
    expect(await pay({ guards, conditions, byApp: false })).toEqual(['confirmed', ['ownWallets']]);
  });
});
