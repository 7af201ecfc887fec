import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isProposal } from '../../features/admin/desk.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { reverseTransfer } from '../../features/admin/money.ts';
import { attemptOf, deskRole, requireAdministrator } from '../../features/admin/require-admin.ts';
import { reasonInput } from '../../features/admin/schema.ts';
import { documentOf, lookAtTransaction } from '../../features/admin/transaction.ts';
import type { AppEnv } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { deskPaths, deskTransactionPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { fill } from '../../ui/view.ts';
import { memberForm } from '../member/form.tsx';
import { type Answer, membersAt } from '../member/member.tsx';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskMoneyTexts } from '../messages/desk-money.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { copyScript } from '../scripts/copy.ts';
import { parseInput, textOf } from '../shared/form.ts';
import { keepForm, refusedAtDesk, takeForm } from './kept-form.ts';
import { forSupport, renderDesk, whileFresh } from './shell.tsx';
import { ReversedText, TransactionView } from './transaction.tsx';

/** A transaction's page on the admin desk. */
export function transactionPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const transaction = membersAt(deps, deskTransactionPath, keepForm);
  pages.get(deskPaths.transaction, transaction(adminEndpoints.showPerson, forSupport(show)));
  pages.post(deskPaths.transaction, transaction(adminEndpoints.reverseTransfer, forSupport(reverse)));
  return pages;
}

const show: Answer = async (member, refusal) => {
  const { c, deps, actor, locale, names, id } = member;
  const here = deskTransactionPath(id);
  const page = { tab: 'people', here, refusal } as const;
  return whileFresh(member, here, async () => {
    const found = await lookAtTransaction(deps, actor, id).catch((error) => {
      if (error instanceof AppError && error.code === 'transaction_not_found') return null;
      throw error;
    });
    if (found === null) {
      c.header('X-Error-Code', 'transaction_not_found');
      const problem = fill(deskMoneyTexts[locale].none, { id });
      return renderDesk(member, { ...page, q: id, status: 404, problems: [problem] });
    }
    const kept = refusal === undefined ? await takeForm(member, here) : undefined;
    const done = refusal === undefined ? c.req.query('done') : undefined;
    const isAdministrator = deskRole(deps, actor.handle) === 'administrator';
    const isReversal = id.startsWith('rev_') && found.kind === 'transfer';
    const entry = { typed: refusal?.typed ?? kept, problems: refusal?.problems };
    return renderDesk(member, {
      ...page,
      subject: deskMoneyTexts[locale][isReversal ? 'reversalTitle' : 'title'],
      done:
        done === 'proposed' ? (
          deskFrameTexts[locale].doneProposed
        ) : done === 'reverse' && found.reversibility?.state === 'reversed' ? (
          <ReversedText reversibility={found.reversibility} />
        ) : undefined,
      isKept: kept !== undefined,
      script: copyScript,
      children: (
        <TransactionView
          {...{ transaction: found, own: actor.handle, isAdministrator, isReversal, names, ...entry }}
          address={`${deps.config.origin}${here}`}
        />
      ),
    });
  });
};

const reverse = memberForm({
  again: show,
  explain: (error, _form, locale) =>
    error.code === 'validation_failed' ? { reason: [deskPeopleTexts[locale].reasonMissing] } : null,
  onError: refusedAtDesk(({ id }) => deskTransactionPath(id)),
  async act({ c, deps, actor, id }, form) {
    await requireAdministrator(deps, actor, `${attemptOf(c)} reverse`);
    const { reason } = parseInput(reasonInput, { reason: textOf(form, 'reason') });
    const made = await reverseTransfer(deps, actor, { id: documentOf(id) ?? id, reason });
    return withQuery(deskTransactionPath(id), { done: isProposal(made) ? 'proposed' : 'reverse' });
  },
});
