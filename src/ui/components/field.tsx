import type { Child } from 'hono/jsx';
import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
  readonly value?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'hidden';
  /** `off` unless given. */
  readonly autocomplete?: string;
  readonly hint?: Child;
  /** One text for each problem of the value. */
  readonly problems?: readonly string[];
  /** A fixed suffix of the value, such as `@pid`. */
  readonly suffix?: string;
  /** Shown next to the input, inside its border. */
  readonly button?: Child;
  /** Further attributes of the input. */
  readonly input?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly children?: Child;
}

/** A labelled input with its hint and problems, linked for screen readers. */
export function Field(props: FieldProps) {
  const {
    id,
    label,
    name = id,
    type = 'text',
    value,
    autocomplete = 'off',
    problems = [],
    hint,
    suffix,
  } = props;
  const input = (
    <input
      {...{ type, id, name, autocomplete, ...props.input }}
      {...(problems.length > 0 && { autofocus: true })}
      {...(value === undefined ? {} : { value })}
      {...described(id, problems, hint !== undefined)}
    />
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {suffix === undefined && props.button === undefined ? (
        input
      ) : (
        <div class={suffix === undefined ? 'revealed' : 'suffixed'}>
          {input}
          {suffix === undefined ? props.button : <span aria-hidden="true">{suffix}</span>}
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

/** A field's problems, under the id that its input refers to. */
export function FieldProblems({ id, problems }: { id: string; problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <div id={`${id}-problem`} role="alert">
      {problems.map((text) => (
        <p class="problem">{text}</p>
      ))}
    </div>
  );
}

/** The attributes that link an input to its problems and hint. */
export function described(id: string, problems: readonly string[], hasHint: boolean): Record<string, string> {
  const ids = [...(problems.length > 0 ? [`${id}-problem`] : []), ...(hasHint ? [`${id}-hint`] : [])];
  return {
    ...(problems.length > 0 ? { 'aria-invalid': 'true' } : {}),
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
  };
}

interface LinesFieldProps {
  readonly id: string;
  readonly label: string;
  readonly lines: readonly string[];
  readonly hint: Child;
  readonly problems?: readonly string[];
}

/** A list, one entry per line. */
export function LinesField({ id, label, lines, hint, problems = [] }: LinesFieldProps) {
  const attributes: Record<string, string | number | boolean> = {
    ...{ id, name: id, rows: 3, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
    ...described(id, problems, true),
    ...(problems.length > 0 && { autofocus: true }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea {...attributes}>{lines.join('\n')}</textarea>
      <FieldProblems id={id} problems={problems} />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

interface ChoiceFieldProps {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
  /** Each choice's text, by its value. */
  readonly choices: Readonly<Record<string, string>>;
  readonly value: string;
  readonly hint?: Child;
  readonly problems?: readonly string[];
}

/** A choice of several options. */
export function ChoiceField({ id, label, name = id, choices, value, hint, problems = [] }: ChoiceFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select {...{ id, name }} {...described(id, problems, hint !== undefined)}>
        {Object.entries(choices).map(([key, text]) => (
          <option value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
      <FieldProblems id={id} problems={problems} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface CodeFieldProps {
  readonly id: string;
  readonly label: string;
  /** True for eight letters and digits in two groups instead of six digits. */
  readonly isLong?: boolean;
  readonly hint?: Child;
  readonly problems?: readonly string[];
}

const digits = { inputmode: 'numeric', pattern: '[0-9 ]{6,7}', maxlength: 7, 'data-digits': 6 };
const longCode = {
  pattern: '[0-9A-Za-z \\-]{8,9}',
  maxlength: 9,
  autocapitalize: 'characters',
  spellcheck: 'false',
};

/** A code in one field, so that it can be pasted and phones can fill it in. */
export function CodeField({ id, label, isLong = false, hint, problems = [] }: CodeFieldProps) {
  const input = {
    class: 'code',
    required: true,
    autofocus: true,
    ...(isLong ? longCode : digits),
  };
  return (
    <Field
      {...{ id, label, problems, input }}
      {...(hint === undefined ? {} : { hint })}
      autocomplete="one-time-code"
    />
  );
}

interface PasswordFieldProps {
  readonly id: string;
  readonly label: string;
  readonly problems?: readonly string[];
  /** The minimum length of a new password, whose rules the hint states. */
  readonly least?: number;
  readonly hint?: Child;
}

/** A password field, which a script can reveal; it counts a new password's characters. */
export function PasswordInput({ id, label, problems = [], least, hint }: PasswordFieldProps) {
  const texts = useTexts(commonTexts);
  const { show, hide } = texts;
  return (
    <Field
      {...{ id, label, problems }}
      {...(hint === undefined ? {} : { hint })}
      type="password"
      autocomplete={least === undefined ? 'current-password' : 'new-password'}
      input={{ required: true, ...(least === undefined ? {} : { minlength: least }) }}
      button={
        <button type="button" class="link" hidden data-reveal={id} data-show={show} data-hide={hide}>
          {show}
          <span class="unseen">{` ${texts.thePassword}`}</span>
        </button>
      }
    >
      {least !== undefined && (
        <p class="hint number" hidden data-count-of={id} data-least={least} data-text={texts.characters} />
      )}
    </Field>
  );
}
