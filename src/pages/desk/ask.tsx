import { Field } from '../../ui/components/field.tsx';
import { Button, Hidden } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { type Entry, textOf } from '../shared/form.ts';

/** The actions on a person that support may perform, and those reserved for administrators. */
export const supportActs = ['end', 'endAll', 'recovery'] as const;
export const administratorActs = [
  'suspend',
  'activate',
  'verify',
  'unverify',
  'freeze',
  'unfreeze',
  'reverse',
] as const;

export type PersonAct = (typeof supportActs | typeof administratorActs)[number];

interface AskProps extends Entry {
  readonly act: PersonAct;
  /** The page with the form. */
  readonly path: string;
  /** The session or transaction concerned. */
  readonly of?: string;
  /** The effect of the action. */
  readonly text: string;
}

const dangers: readonly PersonAct[] = ['suspend', 'freeze', 'end', 'endAll', 'reverse'];

/** An action on a person. */
export function Ask({ act, path, of, text, typed, problems }: AskProps) {
  const label = useTexts(deskPeopleTexts)[act];
  const isTyped = typed?.get('act') === act && (typed.get('id') ?? '') === (of ?? '');
  const id = of === undefined ? act : `${act}-${of}`;
  const entry = isTyped ? { typed, problems } : {};
  return (
    <AskForm
      {...{ id, label, path, text, hidden: { act, id: of }, isDanger: dangers.includes(act) }}
      {...entry}
    />
  );
}

interface AskFormProps extends Entry {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  readonly hidden: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly isDanger: boolean;
}

/** An action that expands to show its effect and asks for a reason before it is carried out. Works without script. */
export function AskForm({ id, label, path, hidden, text, isDanger, typed, problems }: AskFormProps) {
  return (
    <details class="stack" open={typed !== undefined}>
      <summary class={isDanger ? 'button danger' : 'button'}>{label} …</summary>
      <form method="post" action={path}>
        <Hidden fields={hidden} />
        <p>{text}</p>
        <Field
          id={`${id}-reason`}
          name="reason"
          label={useTexts(deskPeopleTexts).reason}
          value={typed && textOf(typed, 'reason')}
          problems={problems?.['reason'] ?? []}
          input={{ required: true, maxlength: 500, ...focusIfKept({ typed, problems }) }}
        />
        <Button look={isDanger ? 'danger main' : 'main'} text={label} />
      </form>
    </details>
  );
}

/** A form that was kept while its sender signed in again has an entry but was not rejected. The browser scrolls to it. */
export const focusIfKept = ({ typed, problems }: Entry) =>
  typed !== undefined && problems === undefined ? { autofocus: true } : {};
