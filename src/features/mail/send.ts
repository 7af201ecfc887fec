import { all, integer, type Row, sql, statement } from '../../db/database.ts';
import { pauseAfter, workOff } from '../../db/due.ts';
import type { Deps, OutgoingMail } from '../../deps.ts';
import { maskEmail } from '../../lib/email.ts';
import type { MailKind } from './kinds.ts';
import { decryptParams } from './params.ts';
import type { mails } from './tables.ts';

/** Emails sent concurrently; Workers allow six connections. */
const atOnce = 5;
const mostAfterResponse = 20;
const mostOfJob = 100;
const givenUpAtOnce = 500;
/** How soon another process may take over a sender's email; transports time out after ten seconds. */
const leaseMs = 60_000;
const firstPauseMs = 60_000;
const longestPauseMs = 4 * 3_600_000;

type MailRow = Pick<
  Row<typeof mails>,
  'id' | 'recipient' | 'locale' | 'sealed_params' | 'tries' | 'created_at'
> & { kind: MailKind };

/** The results of one run. */
export interface SendCounts extends Record<string, number> {
  sent: number;
  failed: number;
}

/** Sends a few due emails right after a response; the job sends the rest. */
export function sendWaiting(deps: Deps): Promise<SendCounts> {
  return sendDue(deps, mostAfterResponse);
}

/** The scheduled job: abandons expired emails, then sends those that are due. */
export async function sendMails(deps: Deps): Promise<SendCounts & { givenUp: number }> {
  const givenUp = await giveUpExpired(deps);
  return { ...(await sendDue(deps, mostOfJob)), givenUp };
}

async function sendDue(deps: Deps, most: number): Promise<SendCounts> {
  const claim = (limit: number) => claimDue(deps, limit);
  const handle = (row: MailRow) => sendOne(deps, row);
  const { done: sent, failed } = await workOff({ atOnce, most, claim, claimsAll: true, handle });
  return { sent, failed };
}

/** Claims due emails, earliest expiry first. An email whose sender died is retried, and may be sent twice. */
function claimDue(deps: Deps, limit: number): Promise<MailRow[]> {
  const now = deps.now();
  const query = statement<MailRow>(sql`UPDATE mails SET tries = tries + 1, next_at = ${now + leaseMs}
      WHERE next_at <= ${now} AND id IN (SELECT id FROM mails WHERE next_at <= ${now} AND expires_at > ${now}
        ORDER BY expires_at, id LIMIT ${integer(limit)})
      RETURNING id, kind, recipient, locale, sealed_params, tries, created_at`);
  return all(deps.db, query);
}

async function sendOne(deps: Deps, row: MailRow): Promise<boolean> {
  const logged = { mail: row.id, kind: row.kind, to: maskEmail(row.recipient), tries: row.tries };
  const params = await decryptParams(deps, row);
  if (params === null) {
    await giveUp(deps, row);
    deps.log.error('mail.unreadable', logged);
    return false;
  }
  // Texts and layout are loaded with the first email, not at startup.
  const { composeMail } = await import('./compose.ts');
  const { subject, text, html } = composeMail(deps.config, row, params);
  const message: OutgoingMail = { id: row.id, to: row.recipient, subject, text, html };
  try {
    await deps.mail(message);
  } catch (error) {
    await retryLater(deps, row);
    deps.log.warn('mail.failed', {
      ...logged,
      reason: reasonOf(error, [row.recipient, ...Object.values(params)]),
    });
    return false;
  }
  await markSent(deps, row);
  deps.log.info('mail.sent', logged);
  return true;
}

/** The sender marks the email even if another sender has since claimed it, because it must not be sent again. */
async function markSent(deps: Deps, { id }: MailRow): Promise<void> {
  const kept = keepsTexts(deps) ? sql`sealed_params` : sql`''`;
  const query =
    statement(sql`UPDATE mails SET sent_at = ${deps.now()}, next_at = NULL, sealed_params = ${kept}
      WHERE id = ${id} AND sent_at IS NULL`);
  await all(deps.db, query);
}

/** Doubles the delay after each attempt, unless another sender has claimed the email. */
async function retryLater(deps: Deps, { id, tries }: MailRow): Promise<void> {
  const pause = pauseAfter(tries, firstPauseMs, longestPauseMs);
  const query = statement(sql`UPDATE mails SET next_at = ${deps.now() + pause}
      WHERE id = ${id} AND tries = ${tries} AND next_at IS NOT NULL`);
  await all(deps.db, query);
}

async function giveUp(deps: Deps, { id }: MailRow): Promise<void> {
  await all(deps.db, statement(sql`UPDATE mails SET next_at = NULL, sealed_params = '' WHERE id = ${id}`));
}

/** An expired email is not sent, and its content is deleted. */
async function giveUpExpired(deps: Deps): Promise<number> {
  const query = statement<{ unsent: number }>(sql`UPDATE mails SET sealed_params = '', next_at = NULL
      WHERE id IN (SELECT id FROM mails WHERE expires_at <= ${deps.now()}
        AND (next_at IS NOT NULL OR sealed_params <> '') ORDER BY expires_at LIMIT ${sql.raw(String(givenUpAtOnce))})
      RETURNING sent_at IS NULL AS unsent`);
  const rows = await all(deps.db, query);
  return rows.filter(({ unsent }) => unsent === 1).length;
}

/** In development no email leaves the machine, so the mailbox page shows these texts until they expire. */
export function keepsTexts({ config }: Pick<Deps, 'config'>): boolean {
  return !config.production && config.mail.transport === 'outbox';
}

/** The reason for the failure, for the log, without the addresses and contents that servers often quote. */
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const quoted = secrets.filter((secret) => secret.length > 3);
  const hidden = quoted.reduce((text, secret) => text.replaceAll(secret, '…'), message);
  return hidden.replace(/[^\s<>"'@]+@[^\s<>"'@]+/g, '…').slice(0, 200);
}
