import { deskPath } from '../../lib/page-paths.ts';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Button, Hidden } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';
import type { Entry } from '../shared/form.ts';
import { focusIfKept } from './ask.tsx';

type Texts = typeof deskTexts.en;

interface Input {
  readonly name: string;
  readonly label: keyof Texts;
  /** The choices by value, for fields with fixed choices. */
  readonly choices?: Readonly<Record<string, keyof Texts>>;
  readonly hint?: keyof Texts;
  readonly isNumber?: true;
  readonly isOptional?: true;
}

const yesOrNo: Input['choices'] = { '': 'keep', true: 'yes', false: 'no' };
const number = (name: 'amount' | 'fixed' | 'percent' | 'min'): Input => ({
  name,
  label: name,
  isNumber: true,
});
const account = (name: 'from' | 'to'): Input => ({ name, label: name, hint: 'accountHint' });

/** The admin desk's forms by the value of the field `act`, each with its inputs other than the reason. */
export const deskForms = {
  /** The card of the switches shows it. */
  ledger: [],
  app: [
    { name: 'checked', label: 'checked', choices: yesOrNo },
    { name: 'firstParty', label: 'firstParty', choices: yesOrNo },
    { name: 'tokenLimit', label: 'tokenLimit', hint: 'tokenLimitHint', isNumber: true, isOptional: true },
  ],
  resource: [
    { name: 'id', label: 'appId' },
    { name: 'resource', label: 'resource', hint: 'resourceHint' },
    { name: 'clients', label: 'clients', hint: 'clientsHint', isOptional: true },
    { name: 'proven', label: 'proven', choices: { true: 'yes', false: 'no' } },
  ],
  review: [
    { name: 'id', label: 'depositId' },
    { name: 'decision', label: 'decision', choices: { '': 'choose', credit: 'credit', reject: 'reject' } },
    {
      name: 'returnedAmount',
      label: 'returnedAmount',
      hint: 'returnedAmountHint',
      isNumber: true,
      isOptional: true,
    },
  ],
  second: [
    { name: 'id', label: 'secondPaymentId' },
    {
      name: 'decision',
      label: 'decision',
      choices: { '': 'choose', credit: 'creditWhole', return: 'giveBack' },
    },
  ],
  withdrawal: [
    { name: 'id', label: 'withdrawalId' },
    { name: 'outcome', label: 'outcome', choices: { '': 'choose', paid: 'paid', failed: 'failedBack' } },
  ],
  report: [
    { name: 'id', label: 'reportId' },
    { name: 'decision', label: 'decision', choices: { '': 'choose', accept: 'accept', reject: 'giveUp' } },
  ],
  difference: [{ name: 'id', label: 'differenceId' }],
  day: [{ name: 'day', label: 'day', hint: 'dayHint' }],
  proposal: [
    { name: 'id', label: 'proposalId' },
    {
      name: 'decision',
      label: 'decision',
      choices: { '': 'choose', approve: 'approve', reject: 'rejectProposal' },
    },
  ],
  adjust: [account('from'), account('to'), number('amount')],
  fee: [
    {
      name: 'operation',
      label: 'operation',
      choices: { deposit: 'deposit', transfer: 'transfer', withdrawal: 'withdrawal' },
    },
    ...[number('fixed'), number('percent'), number('min')],
    { name: 'max', label: 'max', isNumber: true, isOptional: true },
    { name: 'payer', label: 'payer', choices: { payer: 'sender', payee: 'recipient' } },
  ],
} as const satisfies Record<string, readonly Input[]>;

export type DeskAct = keyof typeof deskForms;

/** The forms that open on demand, by heading. */
export const deskGroups = {
  money: ['adjust', 'fee', 'day'],
  cases: ['proposal', 'review', 'second', 'withdrawal', 'report', 'difference'],
} as const satisfies Record<string, readonly DeskAct[]>;

interface FormProps extends Entry {
  readonly act: DeskAct;
  /** The document concerned, if its id need not be typed. */
  readonly of?: string;
  /** The version shown, for a change that applies only to that version. */
  readonly seen?: string;
  /** Identifies the request, so that a form sent twice moves money only once. */
  readonly requestKey: string;
}

/** The entry, if it is that of the form whose field has this value. */
export const entryOf = (entry: Entry, field: 'act' | 'id', value: string): Entry =>
  entry.typed?.get(field) === value ? { typed: entry.typed, problems: entry.problems } : {};

/** A form that opens on demand, or after it was rejected. */
export function DeskDetails({ act, ...form }: FormProps) {
  const texts = useTexts(deskTexts);
  return (
    <details id={act} open={form.typed !== undefined}>
      <summary>{texts[`${act}Form`]}</summary>
      <DeskForm {...{ act, ...form }} />
    </details>
  );
}

export function DeskForm({ act, of, seen, requestKey, ...entry }: FormProps) {
  const texts = useTexts(deskTexts);
  const inputs: readonly Input[] = deskForms[act];
  const prefix = of === undefined ? act : `${act}-${of}`;
  return (
    <form method="post" action={deskPath} aria-label={of}>
      <Hidden fields={{ act, id: of, seen, key: entry.typed?.get('key') ?? requestKey }} />
      {inputs
        .filter(({ name }) => of === undefined || name !== 'id')
        .map((input) => (
          <DeskInput {...{ prefix, input, entry }} />
        ))}
      <DeskInput {...{ prefix, entry, input: { name: 'reason', label: 'reason' } }} />
      <Button look="main" text={texts[`${act}Do`]} />
    </form>
  );
}

function DeskInput({ prefix, input, entry }: { prefix: string; input: Input; entry: Entry }) {
  const texts = useTexts(deskTexts);
  const { name, label, choices, hint, isNumber, isOptional } = input;
  const { typed, problems } = entry;
  const common = {
    ...{ id: `${prefix}-${name}`, name, label: texts[label], problems: problems?.[name] ?? [] },
    ...(hint === undefined ? {} : { hint: texts[hint] }),
  };
  if (choices) {
    const shown = Object.entries(choices).map(([value, text]) => [value, texts[text]] as const);
    return (
      <ChoiceField
        {...common}
        choices={Object.fromEntries(shown)}
        value={typed?.get(name) ?? shown[0]?.[0] ?? ''}
      />
    );
  }
  return (
    <Field
      {...common}
      value={typed?.get(name) ?? (isNumber && name !== 'amount' && !isOptional ? '0' : '')}
      input={{
        ...(isOptional ? {} : { required: true }),
        ...(isNumber
          ? { inputmode: name === 'percent' ? 'decimal' : 'numeric' }
          : { autocapitalize: 'none', spellcheck: 'false' }),
        ...focusIfKept(entry),
      }}
    />
  );
}
