import { type Bitmap2D, correction, generate } from 'lean-qr';
import { getWallet } from '../../features/ledger/wallet.ts';
import { inquiryInput } from '../../features/transfer/schema.ts';
import { pidOf } from '../../lib/id.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, CopyButton, LinkButton } from '../../ui/components/form.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { movementTexts, requestTexts, walletTexts } from '../messages/wallet.ts';
import { receiptScript } from '../scripts/receipt.ts';
import { type Entry, type FormProblems, fieldOf, readAmount } from '../shared/form.ts';
import { askedPath } from './asked.ts';
import { personAt, type WalletSection, walletPage } from './section.tsx';

export const requestSection: WalletSection = { action: { path: accountPaths.request, text: 'request' } };

/** Creates a link and its QR code that open a filled-in form for sending money. Nothing is stored. */
export const showRequest: Answer = async (member) => {
  const { c, deps, actor, locale } = member;
  try {
    await getWallet(deps, personAt(actor));
  } catch (error) {
    return c.redirect(walletPage(error), 303);
  }
  const { amount = '', memo = '' } = c.req.query();
  const typed = new URLSearchParams({ amount, memo });
  const value = amount === '' ? null : readAmount(amount);
  const { badAmount, badMemo } = walletTexts[locale];
  const path = askedPath({
    to: pidOf(actor.handle),
    amount: value === null ? '' : String(value),
    memo: memo.trim(),
  });
  const problems: FormProblems = {
    ...(value !== null && !inquiryInput.shape.amount.safeParse(value).success && { amount: [badAmount] }),
    ...((/[<>]/.test(memo) ||
      path === accountPaths.send ||
      inquiryInput.shape.memo.safeParse(memo).error) && {
      memo: [badMemo],
    }),
  };
  const isGood = Object.keys(problems).length === 0;
  const url = isGood ? `${deps.config.origin}${path}` : null;
  return renderMember(member, {
    ...{ tab: 'wallet', isStep: true, name: requestTexts[locale].title, script: receiptScript },
    ...(!isGood && { refusal: { status: 400 as const } }),
    body: <RequestCard {...{ url, amount: value, typed, problems }} />,
  });
};

interface RequestProps extends Entry {
  /** Null after a problem. */
  readonly url: string | null;
  readonly amount: number | null;
}

export function RequestCard({ url, amount, ...entry }: RequestProps) {
  const texts = useTexts(requestTexts);
  const { toWallet, amount: amountText, memo } = useTexts(walletTexts);
  const { locale } = useView();
  const lead =
    amount === null || url === null
      ? texts.lead
      : fill(texts.leadAmount, { amount: formatAmount(locale, amount) });
  return (
    <Card title={texts.title} lead={lead} id="request">
      {url !== null && <Code url={url} />}
      <form action={accountPaths.request}>
        <Field
          {...fieldOf(entry, 'amount')}
          label={amountText}
          hint={texts.amountHint}
          input={{ inputmode: 'numeric' }}
        />
        <Field {...fieldOf(entry, 'memo')} label={memo} hint={texts.memoHint} input={{ maxlength: 140 }} />
        <p class="row">
          <Button look="main" text={texts.make} />
          <LinkButton href={accountPaths.wallet} text={toWallet} />
        </p>
      </form>
    </Card>
  );
}

/** The code keeps its colours in the dark theme, because not every camera reads a light code on a dark background. */
function Code({ url }: { url: string }) {
  const texts = useTexts(requestTexts);
  const { share } = useTexts(movementTexts);
  const code = generate(url, { minCorrectionLevel: correction.M });
  const size = code.size + 8;
  return (
    <>
      <svg
        class="qr"
        role="img"
        aria-label={texts.code}
        viewBox={`-4 -4 ${size} ${size}`}
        shape-rendering="crispEdges"
      >
        <rect x="-4" y="-4" width={size} height={size} fill="#fff" />
        <path d={strokesOf(code)} stroke="#000" />
      </svg>
      <p class="mono" id="link">
        {url}
      </p>
      <p class="row">
        <CopyButton id="link" text={texts.copy} />
        <button type="button" hidden data-share={url}>
          {share}
        </button>
      </p>
    </>
  );
}

/**
 * The dark modules as horizontal strokes, each relative to the end of the previous one: a sixth of the bytes of their
 * outlines.
 */
function strokesOf(code: Bitmap2D): string {
  let [path, x, y] = ['M0 .5', 0, 0];
  for (let row = 0; row < code.size; row += 1)
    for (let start = 0; start < code.size; start += 1) {
      let end = start;
      while (code.get(end, row)) end += 1;
      if (end === start) continue;
      path += `m${start - x} ${row - y}h${end - start}`;
      [x, y, start] = [end, row, end];
    }
  return path;
}
