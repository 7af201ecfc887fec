import { deskPath } from '../../lib/page-paths.ts';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Button, Hidden } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';

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
const number = (name: 'amount' | 'fixed' | 'bps' | 'min'): Input => ({ name, label: name, isNumber: true });
const account = (name: 'from' | 'to'): Input => ({ name, label: name, hint: 'accountHint' });

/** The admin desk's forms by the value of the field `act`, each with its inputs other than the reason. */
export const deskForms = {
  ledger: [
    {
      name: 'mode',
      label: 'mode',
      choices: { '': 'keep', open: 'open', frozen: 'frozen', disabled: 'disabled' },
    },
    { name: 'withdrawals', label: 'withdrawals', choices: { '': 'keep', true: 'on', false: 'off' } },
  ],
  app: [
    {
      name: 'status',
      label: 'status',
      hint: 'statusHint',
      choices: { '': 'keep', suspended: 'suspended', active: 'active' },
    },
    { name: 'checked', label: 'checked', choices: yesOrNo },
    { name: 'firstParty', label: 'firstParty', choices: yesOrNo },
    { name: 'tokenLimit', label: 'tokenLimit', hint: 'tokenLimitHint', isNumber: true, isOptional: true },
  ],
  resource: [
    { name: 'id', label: 'appId' },
    { name: 'resource', label: 'resource' },
    { name: 'clients', label: 'clients', hint: 'clientsHint', isOptional: true },
    { name: 'proven', label: 'proven', choices: { true: 'yes', false: 'no' } },
  ],
  reverse: [{ name: 'id', label: 'transferId' }],
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
    ...[number('fixed'), number('bps'), number('min')],
    { name: 'max', label: 'max', isNumber: true, isOptional: true },
    { name: 'payer', label: 'payer', choices: { payer: 'sender', payee: 'recipient' } },
  ],
} as const satisfies Record<string, readonly Input[]>;

export type DeskAct = keyof typeof deskForms;

interface FormProps {
  readonly act: DeskAct;
  /** The document concerned, if its id need not be typed. */
  readonly of?: string;
  /** The version shown, for a change that applies only to that version. */
  readonly seen?: string;
  /** This form's rejected entry. */
  readonly typed?: URLSearchParams | undefined;
  /** Identifies the request, so that a form sent twice moves money only once. */
  readonly requestKey: string;
}

/** A form that opens on demand, or after it was rejected. */
export function DeskDetails({ act, typed, ...form }: FormProps) {
  const texts = useTexts(deskTexts);
  return (
    <details id={act} open={typed !== undefined}>
      <summary>{texts[`${act}Form`]}</summary>
      <DeskForm {...{ act, typed, ...form }} />
    </details>
  );
}

export function DeskForm({ act, of, seen, typed, requestKey }: FormProps) {
  const texts = useTexts(deskTexts);
  const inputs: readonly Input[] = deskForms[act];
  const prefix = of === undefined ? act : `${act}-${of}`;
  return (
    <form method="post" action={deskPath} aria-label={of}>
      <Hidden fields={{ act, id: of, seen, key: typed?.get('key') ?? requestKey }} />
      {inputs
        .filter(({ name }) => of === undefined || name !== 'id')
        .map((input) => (
          <DeskInput {...{ prefix, input, typed }} />
        ))}
      <DeskInput {...{ prefix, typed, input: { name: 'reason', label: 'reason' } }} />
      <Button look="main" text={texts.submit} />
    </form>
  );
}

function DeskInput({
  prefix,
  input,
  typed,
}: {
  prefix: string;
  input: Input;
  typed: URLSearchParams | undefined;
}) {
  const texts = useTexts(deskTexts);
  const { name, label, choices, hint, isNumber, isOptional } = input;
  const explained = hint === undefined ? {} : { hint: texts[hint] };
  const common = { id: `${prefix}-${name}`, name, label: texts[label], ...explained };
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
        ...(isNumber ? { inputmode: 'numeric' } : { autocapitalize: 'none', spellcheck: 'false' }),
      }}
    />
  );
}
