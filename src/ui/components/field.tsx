import type { Child } from 'hono/jsx';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password' | 'hidden';
  readonly autocomplete: string;
  readonly hint?: Child;
  /** What is wrong with the value; each text is one problem. */
  readonly problems?: readonly string[];
  /** What stands behind the value and belongs to it, such as `@pid`. */
  readonly suffix?: string;
  /** Whatever else the input says of itself. */
  readonly input?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly children?: Child;
}

/** A labelled input with its hint and its problems, tied together for those who cannot see that they stand together. */
export function Field(props: FieldProps) {
  const { id, label, name = id, type = 'text', value, autocomplete, problems = [], hint, suffix } = props;
  const input = (
    <input
      {...{ type, id, name, autocomplete, ...props.input }}
      {...(value === undefined ? {} : { value })}
      {...described(id, problems, hint !== undefined)}
    />
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {suffix === undefined ? (
        input
      ) : (
        <div class="suffixed">
          {input}
          <span aria-hidden="true">{suffix}</span>
        </div>
      )}
      <FieldProblems id={id} problems={problems} />
      {props.children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The problems of a field, under the id that its input names. */
export function FieldProblems({ id, problems }: { id: string; problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <div id={`${id}-problem`}>
      {problems.map((text) => (
        <p class="problem">{text}</p>
      ))}
    </div>
  );
}

/** Ties an input to its problem and its hint. */
export function described(id: string, problems: readonly string[], hasHint: boolean): Record<string, string> {
  const ids = [...(problems.length > 0 ? [`${id}-problem`] : []), ...(hasHint ? [`${id}-hint`] : [])];
  return {
    ...(problems.length > 0 ? { 'aria-invalid': 'true' } : {}),
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
  };
}

interface CodeFieldProps {
  readonly id: string;
  readonly label: string;
  readonly length?: number;
  readonly hint?: Child;
  readonly problems?: readonly string[];
}

/** A code of digits in one field: it can be pasted, and phones offer the one that has just arrived. */
export function CodeField({ id, label, length = 6, hint, problems = [] }: CodeFieldProps) {
  const input = {
    class: 'code',
    inputmode: 'numeric',
    pattern: `[0-9 ]{${length},${length + 1}}`,
    maxlength: length + 1,
    required: true,
  };
  return (
    <Field
      {...{ id, label, problems, input }}
      {...(hint === undefined ? {} : { hint })}
      autocomplete="one-time-code"
    />
  );
}
