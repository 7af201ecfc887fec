import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../features/grant/acting-caller.ts';
import type { Wallet } from '../../features/ledger/schema.ts';
import { listTransactions } from '../../features/ledger/transactions.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { createInquiry } from '../../features/transfer/inquiry.ts';
import { mostSendable } from '../../features/transfer/most.ts';
import { inquiryInput } from '../../features/transfer/schema.ts';
import { accountPaths, sendPath } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Actions, Button, DefaultButton, Form, LinkButton } from '../../ui/components/form.tsx';
import { Initials } from '../../ui/components/text.tsx';
import { formatAmount, formatNumber } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { requestTexts, walletTexts } from '../messages/wallet.ts';
import { sendScript } from '../scripts/send.ts';
import { type Entry, fieldOf, parseInput, readAmount, textOf } from '../shared/form.ts';
import { type Asked, askedPath, type BadLink, readAsked } from './asked.ts';
import { PartyName } from './movement.tsx';
import { OpenCard } from './open.tsx';
import {
  availableIn,
  lacksWallet,
  personAt,
  refusalOrWallet,
  type WalletSection,
  walletPage,
} from './section.tsx';

/** Sending money: a form, then a page that shows recipient, fee and total before any money moves. */
export const sendSection: WalletSection = { action: { path: accountPaths.send, text: 'send' } };

export const showSend: Answer = async (member, refusal) => {
  const { c, deps, actor, locale } = member;
  const caller = personAt(actor);
  const link = askedPath(c.req.query());
  const page = (body: Child, status?: 400 | 404) =>
    renderMember(member, {
      ...{ tab: 'wallet', isStep: true, name: walletTexts[locale].send, body, script: sendScript },
      refusal: status === undefined ? refusal : { status },
      here: refusal ? accountPaths.send : link,
    });
  const asked = refusal ? null : await readAsked(member);
  if (typeof asked === 'string')
    return page(<BadLinkCard reason={asked} />, asked === 'recipient_unavailable' ? 404 : 400);
  try {
    const [wallet, recent] = await Promise.all([
      getWallet(deps, caller),
      refusal || asked ? [] : recentPayees(deps, caller),
    ]);
    const { typed, problems } = refusal ?? {};
    return await page(<SendCard {...{ wallet, recent, asked, typed, problems }} />);
  } catch (error) {
    if (asked === null) return c.redirect(walletPage(error), 303);
    if (!lacksWallet(error)) throw error;
    return page(<OpenCard next={link} />);
  }
};

const mostRecent = 4;

/** The most recent recipients of the person's payments, newest first. */
async function recentPayees(deps: Deps, caller: Caller): Promise<Payee[]> {
  const query = { kind: 'transfer', direction: 'out', limit: 20 } as const;
  const { data } = await listTransactions(deps, caller, query);
  const byPid = new Map(data.flatMap(({ counterparty: to }) => (to ? [[to.pid, to] as const] : [])));
  return [...byPid.values()].slice(0, mostRecent);
}

/** The API request body. A handle without `@pid` is treated as a PID. */
function inputOf(form: URLSearchParams) {
  const to = textOf(form, 'to').trim();
  return {
    to: to.includes('@') ? to : `${to}@pid`,
    amount: readAmount(textOf(form, 'amount')),
    memo: textOf(form, 'memo'),
  };
}

/** The error texts next to the fields; null if a different entry would not help. */
const problemsOf: Explain = (error, _form, locale) => {
  const { badAmount, badMemo } = walletTexts[locale];
  const text = errorTexts[locale][error.code];
  switch (error.code) {
    case 'own_wallet':
    case 'recipient_unavailable':
      return { to: [text] };
    case 'amount_too_small':
    case 'amount_too_large':
      return { amount: [text] };
    case 'validation_failed': {
      const has = (field: string) => [error.texts].flat().some((problem) => problem.startsWith(field));
      return { ...(has('amount') && { amount: [badAmount] }), ...(has('memo') && { memo: [badMemo] }) };
    }
    default:
      return null;
  }
};

/** Creates the inquiry, whose numbers are valid for five minutes, and shows it. */
export const prepareSend = memberForm({
  again: showSend,
  explain: problemsOf,
  onError: refusalOrWallet,
  async act({ deps, actor }, form) {
    const caller = personAt(actor);
    const all = form.has('all') && { amount: await mostSendable(deps, caller) };
    const { id } = await createInquiry(deps, caller, parseInput(inquiryInput, { ...inputOf(form), ...all }));
    return sendPath(id);
  },
});

type Payee = Asked['to'];

interface SendProps extends Entry {
  readonly wallet: Wallet;
  readonly recent?: readonly Payee[];
  /** The values that a link fills in. */
  readonly asked?: Asked | null;
}

/** Asks for the recipient and the amount. */
export function SendCard({ wallet, recent = [], asked = null, ...entry }: SendProps) {
  const texts = useTexts(walletTexts);
  const { locale } = useView();
  const available = availableIn(wallet);
  const kept = {
    to: asked?.to.pid,
    amount: asked?.amount ? formatNumber(locale, asked.amount) : undefined,
    memo: asked?.memo ?? undefined,
  };
  const field = (id: 'to' | 'amount' | 'memo') => ({
    ...fieldOf(entry, id, kept[id]),
    label: texts[id],
    hint: texts[`${id}Hint`],
  });
  const lead = fill(texts.sendLead, { available: formatAmount(locale, available) });
  return (
    <Card title={texts.send} lead={lead} id="send">
      {(asked?.amount || asked?.memo) && <Notice text={texts.filledIn} />}
      {recent.length > 0 && <Recent people={recent} />}
      <Form action={accountPaths.send}>
        <DefaultButton text={texts.next} />
        <Field
          {...field('to')}
          {...(asked && { hint: <PartyName {...asked.to} /> })}
          input={{ required: true, autocapitalize: 'none', spellcheck: 'false' }}
        />
        <Field
          {...field('amount')}
          input={{ required: true, inputmode: 'numeric' }}
          button={
            available > 0 && (
              <button type="submit" class="link" name="all" value="1" formnovalidate>
                {texts.sendAll}
              </button>
            )
          }
        />
        <Field {...field('memo')} input={{ maxlength: 140 }} />
        <Actions>
          <Button look="main" text={texts.next} />
          <LinkButton href={accountPaths.wallet} text={useTexts(commonTexts).cancel} />
        </Actions>
      </Form>
    </Card>
  );
}

/** Links that fill in the recipient. */
function Recent({ people }: { people: readonly Payee[] }) {
  const texts = useTexts(walletTexts);
  return (
    <nav class="recent" aria-label={texts.recent}>
      {people.map(({ pid, displayName }) => (
        <a href={askedPath({ to: pid })} title={pid}>
          <Initials name={displayName} />
          <PartyName {...{ pid, displayName }} />
        </a>
      ))}
    </nav>
  );
}

/** Replaces the form if a link requests a payment that cannot be sent. */
export function BadLinkCard({ reason }: { reason: BadLink }) {
  const texts = useTexts(requestTexts);
  const { send, toWallet } = useTexts(walletTexts);
  const errors = useTexts(errorTexts);
  const { badAmount, badMemo } = texts;
  const text = { badAmount, badMemo, ...errors }[reason];
  return (
    <Card title={texts.badTitle} id="send">
      <Notice kind="warning" title={text} text={texts.badAdvice} />
      <Actions>
        <LinkButton href={accountPaths.send} look="main" text={send} />
        <LinkButton href={accountPaths.wallet} text={toWallet} />
      </Actions>
    </Card>
  );
}
