import type { Child } from 'hono/jsx';
import type { Transaction } from '../../features/ledger/schema.ts';
import { getReceipt, mailReceipt, type Receipt } from '../../features/transfer/receipt.ts';
import { partyLine } from '../../lib/display-name.ts';
import { pidOf } from '../../lib/id.ts';
import { accountPaths, depositPath, movementPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { Actions, Button, CopyButton, Form, LinkButton } from '../../ui/components/form.tsx';
import { Filled, Foreign, Initials, Moment } from '../../ui/components/text.tsx';
import { formatAmount, formatMoment } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { movementTexts, walletTexts } from '../messages/wallet.ts';
import { receiptScript } from '../scripts/receipt.ts';
import { moneyRefusal, personAt } from './section.tsx';

/** A person as shown on a receipt. */
interface Party {
  readonly pid: string;
  readonly displayName: string;
}

/** One transaction: its parties, amount, time, reason and result. Printed or shared, it is the receipt. */
export const showMovement: Answer = async (member, refusal) => {
  const { deps, actor, id, locale } = member;
  const receipt = await getReceipt(deps, personAt(actor), id);
  const own = { pid: pidOf(actor.handle), displayName: actor.displayName };
  const isSent = member.c.req.query('sent') !== undefined && isPayment(receipt.line);
  return renderMember(member, {
    ...{ tab: 'wallet', isStep: true, refusal, script: receiptScript },
    name: isSent ? walletTexts[locale].sent : movementTexts[locale].receipt,
    body: <MovementCard {...{ receipt, own, isSent }} />,
    here: movementPath(id),
  });
};

function isPayment({ kind, direction }: Transaction): boolean {
  return kind === 'transfer' && direction === 'out';
}

/** The page on which sending money ends. @param id of the inquiry, which shares the transfer's row */
export function sentPath(id: string): string {
  return withQuery(movementPath(id.replace(/^inq_/, 'trf_')), { sent: '1' });
}

/** Sends the receipt to the person's own addresses. */
export const mailMovement = memberForm({
  again: showMovement,
  onError: moneyRefusal,
  async act({ deps, actor, id }) {
    await mailReceipt(deps, personAt(actor), id);
    return withQuery(movementPath(id), { done: 'receiptMailed' });
  },
});

/** A transaction in words, such as `Sent to {who}`. */
export function useTitle({ kind, direction, counterparty }: Transaction): string {
  const texts = useTexts(walletTexts);
  if (counterparty === null) return texts[kind];
  const ways: Partial<Record<Transaction['kind'], Record<'in' | 'out', string>>> = {
    transfer: { in: texts.transferIn, out: texts.transferOut },
    refund: { in: texts.refundIn, out: texts.refundOut },
  };
  return ways[kind]?.[direction] ?? `${texts[kind]}: {who}`;
}

/** The amount with its sign. */
export function useSigned(): (line: Pick<Transaction, 'direction' | 'amount'>) => string {
  const { locale } = useView();
  return ({ direction, amount }) => formatAmount(locale, direction === 'in' ? amount : -amount, 'always');
}

/** A transaction in words, with the other person's name set apart. */
export function LineTitle({ line }: { line: Transaction }) {
  return (
    <Filled text={useTitle(line)}>
      {line.counterparty !== null && <PartyName {...line.counterparty} />}
    </Filled>
  );
}

interface MovementProps {
  readonly receipt: Receipt;
  readonly own: Party;
  /** True if the person has just sent this money. */
  readonly isSent?: boolean;
}

export function MovementCard({ receipt, own, isSent = false }: MovementProps) {
  const texts = useTexts(movementTexts);
  const { toWallet, sent } = useTexts(walletTexts);
  const { line } = receipt;
  const isRefundable = (receipt.transfer?.refundable ?? 0) > 0 && line.direction === 'in';
  return (
    <>
      {!isSent && (
        <a class="back" href={accountPaths.wallet}>
          <span aria-hidden="true">←</span> {toWallet}
        </a>
      )}
      <Card id="movement" isDone={isSent} {...(isSent && { title: sent })}>
        {!isSent && (
          <h1 tabindex={-1}>
            <LineTitle line={line} />
          </h1>
        )}
        <p class={`amount number ${line.direction}`}>{useSigned()(line)}</p>
        <dl class="facts">
          <Facts {...{ receipt, own }} />
        </dl>
        {isSent && (
          <Actions>
            <LinkButton href={accountPaths.wallet} look="main" text={toWallet} />
          </Actions>
        )}
        <Form action={movementPath(line.id)} class="row">
          <button type="button" hidden data-print="on">
            {texts.print}
          </button>
          <button type="button" hidden data-share={useShared(receipt)}>
            {texts.share}
          </button>
          {receipt.canMail && <Button text={texts.mail} />}
          {isRefundable && <LinkButton href={movementPath(line.id, 'refund')} text={texts.refund} />}
          {line.reference.type === 'deposit' && (
            <LinkButton href={depositPath(line.reference.id)} text={texts.deposit} />
          )}
        </Form>
      </Card>
    </>
  );
}

/** The receipt in one line, for a message. */
function useShared({ line }: Receipt): string {
  const view = useView();
  const { shared } = useTexts(movementTexts);
  const { counterparty, createdAt, id } = line;
  const who = counterparty === null ? null : partyLine(counterparty.pid, counterparty.displayName);
  const what = fill(useTitle(line), { who });
  const amount = formatAmount(view.locale, line.amount);
  return fill(shared, { what, amount, at: formatMoment(view, createdAt), id });
}

function Facts({ receipt: { line, transfer, refunds, app }, own }: { receipt: Receipt; own: Party }) {
  const texts = useTexts(movementTexts);
  const { fee, message, amount: gross, to: toText, when, refund } = useTexts(walletTexts);
  const { locale } = useView();
  const { direction, amount, fees, counterparty, memo, createdAt, balanceAfter, id } = line;
  const isIn = direction === 'in';
  const money = (value: number) => formatAmount(locale, value);
  const [from, to] = isIn ? [counterparty, own] : [own, counterparty];
  return (
    <>
      {counterparty !== null && from && to && (
        <>
          <Fact name={texts.from} value={<PartyLines {...from} />} />
          <Fact name={toText} value={<PartyLines {...to} />} />
        </>
      )}
      {fees > 0 && (
        <>
          <Fact name={gross} value={money(isIn ? amount + fees : amount - fees)} />
          <Fact name={fee} value={money(fees)} />
          <Fact name={isIn ? texts.received : texts.paid} value={money(amount)} />
        </>
      )}
      {memo !== null && <Fact name={message} value={<Foreign text={memo} />} />}
      {app !== null && <Fact name={texts.app} value={<Foreign text={app} />} />}
      <Fact name={when} value={<Moment at={createdAt} as="moment" />} />
      <Fact name={texts.state} value={<State {...{ transfer }} />} />
      {refunds.map((made) => (
        <Fact name={refund} value={<a href={movementPath(made.id)}>{money(made.amount)}</a>} />
      ))}
      {transfer !== null && transfer.refundOf !== null && (
        <Fact
          isWide
          name={texts.refundOf}
          value={
            <a class="mono" href={movementPath(transfer.refundOf)}>
              {transfer.refundOf}
            </a>
          }
        />
      )}
      <Fact name={texts.balanceAfter} value={money(balanceAfter)} />
      <Fact
        isWide
        name={texts.reference}
        value={
          <>
            <span class="mono" id="reference">
              {id}
            </span>
            <CopyButton id="reference" text={texts.copy} isLink />
          </>
        }
      />
    </>
  );
}

/** @param isWide true for a value below its name, such as an id, which has to fit on one line of a phone */
function Fact({ name, value, isWide = false }: { name: string; value: Child; isWide?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={isWide ? 'spread' : undefined}>{value}</dd>
    </>
  );
}

/** The person's chosen name, or their PID if none of it can be shown. */
export function PartyName({ displayName, pid }: Party) {
  return <Foreign text={displayName} usual={pid} />;
}

/** Anyone can use a name, so the PID is next to it. */
export function PartyLines(party: Party) {
  const { pid } = party;
  return (
    <>
      <PartyName {...party} />
      <div class="mono">{pid}</div>
    </>
  );
}

/** The person to whom money goes, before it does. */
export function PartyRow(party: Party) {
  return (
    <div class="person">
      <Initials name={party.displayName} />
      <span>
        <PartyName {...party} />
        <small class="mono">{party.pid}</small>
      </span>
    </div>
  );
}

function State({ transfer }: Pick<Receipt, 'transfer'>) {
  const texts = useTexts(movementTexts);
  const { locale } = useView();
  const { status = 'completed', refundedTotal = 0, netAmount = 0 } = transfer ?? {};
  if (status === 'reversed') return texts.reversed;
  if (refundedTotal === 0) return texts.completed;
  if (refundedTotal === netAmount) return texts.refunded;
  return fill(texts.refundedPart, { amount: formatAmount(locale, refundedTotal) });
}
