import type { Child } from 'hono/jsx';
import type { Wallet } from '../../features/ledger/schema.ts';
import { createWallet, getWallet, readMode } from '../../features/ledger/wallet.ts';
import { cancelWithdrawal } from '../../features/withdrawal/withdrawal.ts';
import { readForm } from '../../http/body.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { hostedPath } from '../../lib/success-url.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { doneAt, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { walletTexts } from '../messages/wallet.ts';
import { topUpSection } from './deposit.tsx';
import { holdsSection } from './holds.tsx';
import { limitsSection } from './limits.tsx';
import { OpenCard } from './open.tsx';
import { requestSection } from './request.tsx';
import { lacksWallet, moneyRefusal, personAt, type WalletSection } from './section.tsx';
import { sendSection } from './send.tsx';
import { statementSection } from './statement.tsx';
import { withdrawSection } from './withdraw.tsx';

/** In the order of the page. */
const sections: readonly WalletSection[] = [
  holdsSection,
  sendSection,
  requestSection,
  statementSection,
  topUpSection,
  withdrawSection,
  limitsSection,
];

/** The wallet's balance, actions and transactions. */
export const showWallet: Answer = async (member, refusal) => {
  const { c, deps } = member;
  const caller = personAt(member.actor);
  const [mode, wallet] = await Promise.all([readMode(deps), getWallet(deps, caller).catch(noWallet)]);
  if (wallet === null) return renderMember(member, { tab: 'wallet', body: <OpenCard /> });
  const shown = sections.map(({ show }) => show?.({ c, deps, caller, wallet }));
  const body = (
    <>
      <BalanceCard
        {...{ wallet, isPaused: mode !== 'open', actions: sections.flatMap(({ action }) => action ?? []) }}
      />
      {await Promise.all(shown)}
    </>
  );
  const here = refusal && accountPaths.wallet;
  return renderMember(member, { tab: 'wallet', body, refusal, here });
};

function noWallet(error: unknown): null {
  if (lacksWallet(error)) return null;
  throw error;
}

/** Opens the wallet, and returns to the link that needed it. */
export const openWallet: Answer = async ({ c, deps, sessionId }) => {
  const next = hostedPath(`self:${(await readForm(c)).get('next')}`);
  await createWallet(deps, sessionId);
  return c.redirect(next ?? doneAt('wallet', 'walletOpened'), 303);
};

/** Cancels a held withdrawal; the wallet page explains a rejection. */
export const cancelHeld = memberForm({
  again: showWallet,
  onError: moneyRefusal,
  async act({ deps, sessionId, id }) {
    await cancelWithdrawal(deps, { sessionId, id });
    return doneAt('wallet', 'withdrawalCancelled');
  },
});

interface BalanceProps {
  readonly wallet: Wallet;
  /** True if money movements are stopped for the whole service. */
  readonly isPaused: boolean;
  readonly actions: readonly NonNullable<WalletSection['action']>[];
}

/** The balance, and a button for each way to move money, while money can move. */
export function BalanceCard({ wallet: { status, balances }, isPaused, actions }: BalanceProps): Child {
  const texts = useTexts(walletTexts);
  const { locale } = useView();
  const [{ balance, held, available, debt } = { balance: 0, held: 0, available: 0, debt: 0 }] = balances;
  const isFrozen = status !== 'active';
  return (
    <Card heading={texts.heading} id="balance">
      <p class="amount">{formatAmount(locale, balance)}</p>
      {held > 0 && (
        <p class="quiet">
          {fill(texts.held, {
            amount: formatAmount(locale, held),
            available: formatAmount(locale, available),
          })}
        </p>
      )}
      {debt > 0 && (
        <Notice
          kind="warning"
          title={fill(texts.owed, { amount: formatAmount(locale, debt) })}
          text={texts.owedAdvice}
        />
      )}
      {isFrozen && <Notice kind="warning" title={texts.frozen} text={texts.frozenAdvice} />}
      {isPaused && <Notice kind="warning" text={texts.paused} />}
      {!(isFrozen || isPaused) && (
        <p class="row">
          {actions.map(({ path, text }, index) => (
            <LinkButton href={path} text={texts[text]} {...(index === 0 ? { look: 'main' as const } : {})} />
          ))}
        </p>
      )}
    </Card>
  );
}
