import type { ReconciliationCase, Report } from '../../src/features/reconcile/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { type Browser, json } from './browser.ts';
import type { Target } from './target.ts';

const heading =
  'Order ID,Transaction ID,Transaction Status,Settlement Time,Gross Amount,Fee,Net Amount,Currency,Payout ID';

/** A line of a provider report, as a test needs it. */
export interface Reported {
  readonly id: string;
  readonly payment?: string;
  readonly status?: string;
  readonly day: string;
  readonly gross: number;
  readonly fee?: number;
  readonly currency?: string;
  /** The provider's transfer to the bank; one a day by default. */
  readonly payout?: string;
}

export const payoutOf = (day: string) => `PO-${day}`;

/** A report in Midtrans's format. */
export function providerReport(lines: readonly Reported[]): string {
  const rows = lines.map(
    ({ id, payment = `pay-${id}`, status = 'settlement', day, gross, fee = 0, ...more }) => {
      const { currency = 'IDR', payout = payoutOf(day) } = more;
      return [id, payment, status, `${day} 14:30:00`, `${gross}.00`, fee, gross - fee, currency, payout].join(
        ',',
      );
    },
  );
  return [heading, ...rows, ''].join('\r\n');
}

/** A bank statement. */
export function bankStatement(lines: readonly { day: string; text: string; amount: number }[]): string {
  const rows = lines.map(
    ({ day, text, amount }) => `${day.split('-').reverse().join('/')},"${text}",${amount}.00,IDR`,
  );
  return ['Date,Description,Credit,Currency', ...rows, ''].join('\n');
}

/** Uploads a report. */
export function sendReport(
  by: Browser,
  query: Record<string, string>,
  file: string | Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const init = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: file };
  return by.fetch(`/v1/admin/reports?${new URLSearchParams(query)}`, init);
}

export async function decideReport(by: Browser, id: string, decision = 'accept'): Promise<Report> {
  const answer = await by.fetch(
    `/v1/admin/reports/${id}/resolve`,
    json('POST', { decision, reason: 'checked' }),
  );
  if (answer.status !== 200) throw new Error(`not decided: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Report;
}

/** Uploads a report and accepts it. */
export async function acceptReport(
  by: Browser,
  query: Record<string, string>,
  file: string,
): Promise<Report> {
  const answer = await sendReport(by, query, file);
  if (answer.status !== 200) throw new Error(`not read: ${answer.status} ${await answer.text()}`);
  return decideReport(by, ((await answer.json()) as Report).id);
}

/** Every open case: its kind, its subject and the amount. */
export async function openCases(by: Browser): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const answer = await by.fetch(`/v1/admin/cases?limit=100${next && `&cursor=${next}`}`);
    const page = (await answer.json()) as Page<ReconciliationCase>;
    found.push(...page.data.map(({ kind, ref, amount }) => `${kind} ${ref} ${amount}`));
    next = page.nextCursor;
  }
  return found.sort();
}

/** A wallet's deposit, paid by the provider, with the time of its credit. */
export async function creditDeposit(
  target: Pick<Target, 'rows'>,
  { id, account, gross, at }: { id: string; account: number; gross: number; at: number },
): Promise<void> {
  const amount = 'CAST(? AS INTEGER)';
  await target.rows(
    `INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, session, url, created_at, updated_at,
        expires_at) SELECT ?, owner, id, 'IDR', ${amount}, 0, 0, ${amount}, 'sandbox', 's', 'u', ?, ?, ? FROM accounts WHERE id = ${amount}`,
    [id, gross, gross, at, at, at + 1, account],
  );
  await target.rows(
    `UPDATE deposits SET status = 'credited', payment = 'pay-' || id, credited_at = ?, updated_at = ? WHERE id = ?`,
    [at, at, id],
  );
}

/** Sets the total of a deposit that the provider has reversed. */
export async function takeBack(
  target: Pick<Target, 'rows'>,
  id: string,
  part: number,
  at: number,
): Promise<void> {
  await target.rows(
    `UPDATE deposits SET tries = tries + 1, returned = CAST(? AS INTEGER), status = iif(gross = CAST(? AS INTEGER), 'reversed', status),
       reversed_at = iif(gross = CAST(? AS INTEGER), ?, NULL), updated_at = ? WHERE id = ?`,
    [part, part, part, at, at, id],
  );
}

/** The balance of an operator account, as an amount owed to us. */
export async function owedBy(target: Pick<Target, 'rows'>, owner: string): Promise<number> {
  const [row] = await target.rows<{ owed: number }>(
    `SELECT debits_posted - credits_posted AS owed FROM accounts WHERE owner = ? AND kind = 'gateway'`,
    [owner],
  );
  return row?.owed ?? Number.NaN;
}
