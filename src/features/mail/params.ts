import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { partyLine, withoutLinks } from '../../lib/display-name.ts';
import { pidOf } from '../../lib/id.ts';
import { decrypt, deriveKeys, encrypt } from '../../lib/secret.ts';
import type { MailKind } from './kinds.ts';

/** The values in an email's text. They may contain a code, so they are stored only encrypted. */
export type MailParams = Readonly<Record<string, string>>;

/** Notices of one change share their params; each id is the id of the change, a dot and a number. */
function contextOf(mailId: string): string {
  return `mail ${mailId.split('.')[0]}`;
}

export function encryptParams(deps: Deps, mailId: string, params: MailParams): Promise<string> {
  const keys = deriveKeys(deps.config.secretKeys, 'mail');
  return encrypt(keys, JSON.stringify(params), contextOf(mailId), deps.randomBytes);
}

/** The parameters of an email's text. Null if they were cleared, or encrypted with a key that no longer exists. */
export async function decryptParams(
  deps: Deps,
  { id, kind, sealed_params: sealed }: { id: string; kind: MailKind; sealed_params: string },
): Promise<MailParams | null> {
  if (sealed.startsWith('trf_')) return readPayment(deps, kind, sealed.slice('trf_'.length));
  const text = await decrypt(deriveKeys(deps.config.secretKeys, 'mail'), sealed, contextOf(id));
  if (text === null) return null;
  const params: MailParams = JSON.parse(text);
  const { withdrawal, reversal } = params as Partial<Record<string, string>>;
  return {
    ...params,
    ...(withdrawal && (await readWithdrawal(deps, withdrawal))),
    ...(reversal && (await readReversal(deps, reversal))),
  };
}

/** The payment in an email: the amount that left or entered the wallet, and the counterparty. */
async function readPayment(deps: Deps, kind: MailKind, id: string): Promise<MailParams | null> {
  const isSent = kind === 'payment_sent';
  const [own, other] = isSent ? [sql`t.payer`, sql`t.payee`] : [sql`t.payee`, sql`t.payer`];
  const row = await first(
    deps.db,
    statement<{ own: string; other: string; name: string | null; amount: number; app: string | null }>(
      sql`SELECT ${own} AS own, ${other} AS other, p.display_name AS name, a.name AS app,
          ${isSent ? sql`t.debit_total` : sql`t.net_amount`} AS amount
        FROM transfers t LEFT JOIN profiles p ON p.handle = ${other} LEFT JOIN apps a ON a.id = t.app_id WHERE t.id = ${id}`,
    ),
  );
  if (row === null) return null;
  return {
    pid: pidOf(row.own),
    amount: String(row.amount),
    [isSent ? 'destination' : 'sender']: partyLine(pidOf(row.other), row.name),
    ...(row.app !== null && { app: withoutLinks(row.app) }),
  };
}

/** The amount and the destination of a withdrawal. */
async function readWithdrawal(deps: Deps, id: string): Promise<MailParams | null> {
  return first(
    deps.db,
    statement<MailParams>(sql`SELECT handle || '@pid' AS pid, CAST(amount AS TEXT) AS amount,
      destination_hint AS destination FROM withdrawals WHERE id = ${id}`),
  );
}

/** Returns the amount that a provider reversed, and the part of it that exceeded the wallet's balance. */
async function readReversal(deps: Deps, ref: string): Promise<MailParams | null> {
  return first(
    deps.db,
    statement<MailParams>(sql`SELECT CAST(l.amount AS TEXT) AS amount, CAST(d.amount AS TEXT) AS debt
      FROM legs l JOIN legs d ON d.kind = 'debt' AND d.ref = l.ref AND d.n = l.n
      WHERE l.kind = 'deposit_reversal' AND l.ref = ${ref} AND l.n = 1`),
  );
}
