import { AppError } from '../../errors.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppContext } from '../../http/context.ts';
import { idempotencyKey, markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { sendStream } from '../../http/stream.ts';
import { readOperation } from '../ledger/fees.ts';
import { maxBytes } from '../reconcile/import.ts';
import { dayText } from '../reconcile/schema.ts';
import { readApp, setApp, setAppResource } from './apps.ts';
import { listAudit, streamAudit } from './audit.ts';
import { closeDay, showDay, streamJournal } from './days.ts';
import { isProposal } from './desk.ts';
import { resolveWithdrawal } from './documents.ts';
import { adminEndpoints } from './endpoints.ts';
import { findPeople } from './find-people.ts';
import { endSessionsOf, sendRecovery } from './help.ts';
import { setIdentity } from './identity-status.ts';
import { setWallet, switchLedger } from './ledger-switch.ts';
import { adjustAccounts, reverseTransfer, setPlatformFee } from './money.ts';
import { readOverview } from './overview.ts';
import { lookAtPerson } from './person.ts';
import { resolveProposal } from './proposals.ts';
import { explainCase, listCases, listReports, resolveReport, takeReport } from './reports.ts';
import { listRestrictedApps } from './restricted-apps.ts';
import { listReviews, resolveDeposit } from './reviews.ts';
import { resolveSecondPayment } from './second-payments.ts';
import { listUnexplained } from './unexplained.ts';

/** Returns 202 if the decision has to wait for a second administrator. */
const sendDecision = (c: AppContext, answer: object) => sendJson(c, answer, isProposal(answer) ? 202 : 200);

/** @throws AppError validation_failed */
function readDayOf(text: string): string {
  const parsed = dayText.safeParse(text);
  if (!parsed.success) throw new AppError('validation_failed', ['day must be a date such as 2026-11-22']);
  return parsed.data;
}

async function* noFile(): AsyncGenerator<Uint8Array> {}

/**
 * These endpoints are limited to identities in ADMIN_PIDS, and some also to those in SUPPORT_PIDS, with a recent
 * sign-in. Every change adds a line to the audit log.
 */
export const adminRoutes = routesOf(adminEndpoints, {
  /** Finds people, and records who was found. This and the next three are also open to support. */
  findPeople: ({ deps, actor, query }) => findPeople(deps, actor, query),

  /** Everything about a person; each access is recorded, once an hour. 404 for an unknown handle. */
  showPerson: ({ deps, actor, params: { handle } }) => lookAtPerson(deps, actor, handle),

  /** Revokes one session of a person, or all of them. */
  endSessionsOf: ({ deps, actor, body, params: { handle } }) =>
    endSessionsOf(deps, actor, { handle, ...body }),

  /** Emails a password reset link. 409 for a person without a password. */
  sendRecovery: ({ deps, actor, body, params: { handle } }) => sendRecovery(deps, actor, { handle, ...body }),

  /**
   * Suspends an identity, which signs it out everywhere, reactivates it, or marks the person as verified. 403 unless
   * the caller is an administrator with a recent sign-in, 404 for an unknown handle, 409 for a closed identity.
   */
  setIdentityStatus: ({ deps, actor, body, params: { handle } }) =>
    setIdentity(deps, actor, { handle, ...body }),

  /** Freezes, disables or opens the ledger, and turns withdrawals on or off. */
  switchLedger: ({ deps, actor, body }) => switchLedger(deps, actor, body),

  /** Freezes or unfreezes a wallet. 404 for an unknown wallet, 409 for a closed one. */
  setWalletStatus: ({ deps, actor, body, params: { handle } }) => setWallet(deps, actor, { handle, ...body }),

  /** Apps with restrictions. */
  listRestrictedApps: ({ deps, actor }) => listRestrictedApps(deps, actor),

  /** An app with all the details that a review covers. 404 for an unknown app. */
  showApp: ({ deps, actor, params: { id } }) => readApp(deps, actor, id),

  /**
   * Suspends an app, marks it as checked or as the operator's own, and sets its limit. 404 for an unknown app, 409 if
   * the flags are for another version.
   */
  setAppStatus: ({ deps, actor, body, params: { id } }) => setApp(deps, actor, { id, ...body }),

  /** Proves an app's resource, or removes it. 404 for an unknown app, 409 for another app's resource. */
  setAppResource: ({ deps, actor, body, params: { id } }) => setAppResource(deps, actor, { id, ...body }),

  /** Reverses a whole transfer. 409 if it was already reversed or refunded. */
  reverseTransfer: async ({ c, deps, actor, body, params: { id } }) =>
    sendDecision(c, await reverseTransfer(deps, actor, { id, ...body })),

  /** Deposits waiting for a decision. */
  listReviews: ({ deps, actor, query }) => listReviews(deps, actor, query),

  /** Credits the payment, or rejects the deposit. 409 if there is nothing to decide. */
  resolveDeposit: async ({ c, deps, actor, body, params: { id } }) =>
    sendDecision(c, await resolveDeposit(deps, actor, { id, ...body })),

  /** Credits a second payment of a deposit, or removes it from the books. 409 if it was already decided. */
  resolveSecondPayment: async ({ c, deps, actor, body, params: { id } }) =>
    sendDecision(c, await resolveSecondPayment(deps, actor, { id, ...body })),

  /** Settles a withdrawal whose outcome the provider does not report. 409 if there is nothing to decide. */
  resolveWithdrawal: async ({ c, deps, actor, body, params: { id } }) =>
    sendDecision(c, await resolveWithdrawal(deps, actor, { id, ...body })),

  /** Moves money manually between two accounts, only once per `Idempotency-Key`. */
  adjust: async ({ c, deps, actor, body }) => {
    const { answer, isReplayed } = await adjustAccounts(deps, actor, { ...body, key: idempotencyKey(c) });
    markReplayed(c, isReplayed);
    return sendDecision(c, answer);
  },

  /** Approves another administrator's proposal, or rejects it. 409 if it is no longer pending. */
  resolveProposal: ({ deps, actor, body, params: { id } }) => resolveProposal(deps, actor, { id, ...body }),

  /** Sets the operator's own fee. 409 if `If-Match` does not match the current version. */
  setPlatformFee: async ({ c, deps, actor, params, body: { reason, ...input } }) => {
    const change = { operation: readOperation(params.operation), input, ifMatch: c.req.header('If-Match') };
    const fee = await setPlatformFee(deps, actor, { ...change, reason });
    c.header('ETag', `"${fee.version}"`);
    return fee;
  },

  /** Every open money case. */
  listUnexplained: ({ deps, actor, query }) => listUnexplained(deps, actor, query),

  /** The switches, the open decisions, and a day's totals. */
  getOverview: ({ deps, actor, query: { day } }) => readOverview(deps, actor, day),

  /** Reads a report without moving money. 400 names an unreadable line. */
  importReport: ({ c, deps, actor, query }) => {
    if (Number(c.req.header('Content-Length') ?? 0) > maxBytes) throw new AppError('body_too_large');
    return takeReport(deps, actor, {
      ...query,
      file: c.req.raw.body?.values({ preventCancel: true }) ?? noFile(),
    });
  },

  /** Reports, newest first. */
  listReports: ({ deps, actor, query }) => listReports(deps, actor, query),

  /** Accepts a report, which posts its lines, or abandons it. 409 if it was already decided differently. */
  resolveReport: ({ deps, actor, body, params: { id } }) => resolveReport(deps, actor, { id, ...body }),

  /** Unexplained differences. */
  listCases: ({ deps, actor, query }) => listCases(deps, actor, query),

  /** Closes a difference with its explanation. */
  resolveCase: ({ deps, actor, body, params: { id } }) => explainCase(deps, actor, { id, ...body }),

  /** A day's trial balance. */
  getDay: ({ deps, actor, params: { day } }) => showDay(deps, actor, readDayOf(day)),

  /** Closes a day. 409 with the missing parts. */
  closeDay: ({ deps, actor, body, params: { day } }) =>
    closeDay(deps, actor, { day: readDayOf(day), ...body }),

  /** A month's journal, streamed. */
  getJournal: async ({ c, deps, actor, query }) => {
    const journal = await streamJournal(deps, actor, query);
    c.header('Content-Disposition', `attachment; filename="journal-${query.month}.${query.format}"`);
    const type = query.format === 'csv' ? 'text/csv' : 'application/jsonl';
    return sendStream(c, deps, `${type}; charset=utf-8`, journal);
  },

  listAudit: async ({ c, deps, actor, query: { format, ...query } }) => {
    if (format === 'json') return listAudit(deps, actor, query);
    const lines = await streamAudit(deps, actor, query);
    c.header('Content-Disposition', 'attachment; filename="audit.csv"');
    return sendStream(c, deps, 'text/csv; charset=utf-8', lines);
  },
});
