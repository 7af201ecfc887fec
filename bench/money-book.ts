import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredRules } from '../scripts/rules.ts';
import type { Statement, Value } from '../src/db/database.ts';
import { confirm } from '../src/features/transfer/statements.ts';
import { projectRoot } from './processes.ts';

/** Runs statements in order, in one transaction if there are several. */
export type Execute = (statements: readonly Statement[]) => Promise<unknown>;

/** Wallets that pay each other, and a supply of open inquiries. */
export interface Book {
  readonly firstAccount: number;
  readonly people: number;
  /** The number of the last stored inquiry. */
  last: number;
}

const now = Date.now();
const day = 86_400_000;

export const of = (text: string, ...values: Value[]): Statement => ({ text, values });
/** The numbers after the first, up to the last value, as the table `n`. */
const numbers =
  'WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)';
export const idOf = (index: number): string => String(index).padStart(26, '0');

/** Creates the tables. @param run accepts any statement, also outside a transaction */
export async function migrate(execute: Execute): Promise<void> {
  const { entries } = JSON.parse(
    readFileSync(join(projectRoot, 'migrations/meta/_journal.json'), 'utf8'),
  ) as {
    entries: { tag: string }[];
  };
  for (const { tag } of entries) {
    const text = readFileSync(join(projectRoot, `migrations/${tag}.sql`), 'utf8');
    for (const one of text.split('--> statement-breakpoint')) await execute([of(one)]);
  }
}

/** Signed-in people, each with a wallet and more money than a run can spend. */
export async function openBook(execute: Execute, people: number): Promise<Book> {
  const named = `${numbers} SELECT 'pay' || i, 'pay' || i, 'pay' || i, 1 FROM n`;
  await execute([
    of(`INSERT INTO identities (handle, skeleton, ticket, created_at) ${named}`, -1, people - 1),
    of(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        SELECT 'crd_' || handle, handle, 'idp', handle, 1, 1 FROM identities`,
    ),
    of(
      `INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
          token_hash, token_expires_at)
        SELECT 'ses_' || handle, handle, 'crd_' || handle, 'idp', 1, 1, 1, ?, handle, 2 FROM identities`,
      now + day,
    ),
    of(
      `INSERT INTO accounts (id, kind, owner, asset, created_at)
        ${numbers} SELECT 1000 + i, 'wallet', 'pay' || i, 'IDR', 1 FROM n`,
      -1,
      people - 1,
    ),
    fund(),
  ]);
  return { firstAccount: 1000, people, last: 0 };
}

/** Sandbox money for every wallet. */
export function fund(): Statement {
  return of(`INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
    SELECT 'adj_' || owner, 'correction', 2, id, 1000000000, 'bench', 'operator', 1 FROM accounts WHERE kind = 'wallet'`);
}

/** An app that everyone in the book has allowed to pay for them. */
export async function openApp(execute: Execute): Promise<void> {
  await execute([
    of(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES ('app_bench', 'pay0', 'Bench', 'web', 1, 1)`,
    ),
    of(
      `INSERT INTO grants (id, app_id, handle, scopes, total_limit, created_at)
        SELECT 'grt_' || handle, 'app_bench', handle, '["fiat:transfer"]', 1000000000000, 1 FROM identities`,
    ),
  ]);
}

/** The kind of inquiry: the person's own, or the app's, within its grant or with an approval. */
export type Consent = 'own' | 'grant' | 'approval';

/** Stores open inquiries with everything needed for their confirmation, and returns their numbers. */
export async function addInquiries(
  execute: Execute,
  book: Book,
  count: number,
  consent: Consent = 'own',
): Promise<number[]> {
  const { firstAccount, people, last } = book;
  const payer = `'pay' || (i % ${people})`;
  const [app, grant] = consent === 'own' ? ['NULL', 'NULL'] : [`'app_bench'`, `'grt_' || ${payer}`];
  const inquiries = of(
    `INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee, app_fee,
        platform_fee, debit_total, net_amount, app_id, grant_id, needs_approval, created_at, expires_at)
      ${numbers} SELECT printf('%026d', i), ${payer}, 'pay' || ((i + 1) % ${people}),
        ${firstAccount} + i % ${people}, ${firstAccount} + (i + 1) % ${people},
        'IDR', 1, 0, 0, 0, 0, 1, 1, ${app}, ${grant}, ${Number(consent === 'approval')}, ?, ? FROM n`,
    ...[last, last + count, now, now + day],
  );
  const approvals = of(
    `INSERT INTO popup_requests (id, kind, app_id, origin, verifier_hash, operation, params, inquiry_id, digest, handle,
        session_id, status, created_at, expires_at, decided_at)
      ${numbers} SELECT printf('%022d', i), 'approval', 'app_bench', 'https://shop.example', 'hash' || i, 'transfer', '{}',
        printf('%026d', i), 'digest', ${payer}, 'ses_' || ${payer}, 'approved', ?, ?, ? FROM n`,
    ...[last, last + count, now, now + day, now],
  );
  await execute(consent === 'approval' ? [inquiries, approvals] : [inquiries]);
  book.last += count;
  return Array.from({ length: count }, (_, index) => last + 1 + index);
}

const request = {
  id: '#id',
  payer: '#payer',
  requestId: '#op',
  sessionId: '#session',
  approvalId: null,
  verifierHash: null,
  limits: null,
  now,
};
const approval = { approvalId: '#approval', verifierHash: '#verifier' };
const samples = {
  own: confirm({ ...request, app: null }),
  grant: confirm({ ...request, app: 'app_bench' }),
  approval: confirm({ ...request, app: 'app_bench', ...approval }),
};

/** The service's own statement that confirms one of the book's inquiries. */
export function confirmation(book: Book, index: number, consent: Consent = 'own'): Statement {
  const payer = `pay${index % book.people}`;
  const own: Record<string, Value> = {
    '#id': idOf(index),
    '#payer': payer,
    '#op': `op${index}`,
    '#session': `ses_${payer}`,
    '#approval': String(index).padStart(22, '0'),
    '#verifier': `hash${index}`,
  };
  const { text, values } = samples[consent];
  return { text, values: values.map((value) => own[String(value)] ?? value) };
}

/** The floor of a confirmation: only its leg, with the triggers that change the balances. */
export function legAlone(book: Book, index: number): Statement {
  const { firstAccount, people } = book;
  return of(
    `INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('correction', ?, 1, ?, ?, 1, ?)`,
    ...[`floor${index}`, firstAccount + (index % people), firstAccount + ((index + 1) % people), now],
  );
}

/** The payer and payee of each payment in a history, as SQL on the number `i`: positions in the book. */
export interface Parties {
  readonly payer: string;
  readonly payee: string;
}

/**
 * Stores old transfers with their legs and entries, without the triggers, which is much faster than confirming them.
 * The triggers are restored afterwards.
 * @param parties by default, everyone pays the next person
 */
export async function addHistory(
  execute: Execute,
  { firstAccount: first, people }: Book,
  count: number,
  { payer, payee }: Parties = { payer: `i % ${people}`, payee: `(i + 1) % ${people}` },
): Promise<void> {
  const names = ['transfer_begins', 'transfer_wallets', 'leg_allowed', 'leg_posted'];
  const texts = declaredRules()
    .filter((rule) => names.includes(rule.name))
    .map((rule) => rule.text);
  await execute(names.map((name) => of(`DROP TRIGGER ${name}`)));
  const parties = `? + ${payer}, ? + ${payee}`;
  await execute([
    of(
      `INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee, app_fee,
          platform_fee, debit_total, net_amount, status, confirmed_by, confirmed_at, created_at, expires_at)
        ${numbers} SELECT 'a' || printf('%025d', i), 'pay' || (${payer}), 'pay' || (${payee}), ${parties}, 'IDR',
          1, 0, 0, 0, 0, 1, 1, 'confirmed', 'op' || i, i, 1, ? FROM n`,
      ...[0, count, first, first, now],
    ),
    of(
      `INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
        ${numbers} SELECT 'transfer', 'a' || printf('%025d', i), 1, ${parties}, 1, i FROM n`,
      ...[0, count, first, first],
    ),
    of(
      `INSERT INTO entries SELECT debit, 2, at, seq, -1, 1000000000, NULL, ref FROM legs WHERE kind = 'transfer'
        UNION ALL SELECT credit, 1, at, seq, 1, 1000000000, NULL, ref FROM legs WHERE kind = 'transfer'`,
    ),
  ]);
  await execute(texts.map((text) => of(text)));
}
