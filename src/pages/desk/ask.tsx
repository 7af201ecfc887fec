import { Field } from '../../ui/components/field.tsx';
import { Button, Hidden } from '../../ui/components/form.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import type { Entry } from '../shared/form.ts';

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

/** An action that expands to show its effect and asks for a reason before it is carried out. Works without script. */
export function Ask({ act, path, of, text, typed, problems }: AskProps) {
  const texts = useTexts(deskPeopleTexts);
  const isTyped = typed?.get('act') === act && (typed.get('id') ?? '') === (of ?? '');
  const id = of === undefined ? act : `${act}-${of}`;
  const isDanger = dangers.includes(act);
  return (
    <details class="stack" open={isTyped}>
      <summary class={isDanger ? 'button danger' : 'button'}>{texts[act]}</summary>
      <form method="post" action={path}>
        <Hidden fields={{ act, id: of }} />
        <p>{text}</p>
        <Field
          id={`${id}-reason`}
          name="reason"
          label={texts.reason}
          value={isTyped ? (typed.get('reason') ?? '') : ''}
          problems={isTyped ? (problems?.['reason'] ?? []) : []}
          input={{ required: true, maxlength: 500 }}
        />
        <Button look={isDanger ? 'danger main' : 'main'} text={texts[act]} />
      </form>
    </details>
  );
}
