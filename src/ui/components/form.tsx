import type { Child } from 'hono/jsx';
import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';
import { Card, Dialog, Ending } from './card.tsx';

/** Values by name; null and undefined ones are omitted. */
type HiddenFields = Readonly<Record<string, string | null | undefined>>;

export interface FormProps {
  readonly action: string;
  readonly hidden?: HiddenFields;
  readonly id?: string;
  /** `act` for a form that is a row of buttons, like `Actions`; `row` for one that stays in place. */
  readonly class?: 'act' | 'row';
  /** Makes a script signal a removed passkey to the browser's authenticators. */
  readonly 'data-passkey-removal'?: 'on' | undefined;
}

/** A form that posts. */
export function Form({ hidden = {}, children, ...rest }: FormProps & { children: Child }) {
  return (
    <form method="post" {...rest}>
      <Hidden fields={hidden} />
      {children}
    </form>
  );
}

/** A page's main button and the others next to it, which stay visible while the page scrolls. */
export function Actions({ children }: { children: Child }) {
  return <div class="act">{children}</div>;
}

export function Hidden({ fields }: { fields: HiddenFields }) {
  return (
    <>
      {Object.entries(fields).map(
        ([name, value]) => value != null && <input type="hidden" name={name} value={value} />,
      )}
    </>
  );
}

interface ButtonProps {
  readonly text: string;
  /** `main` is the main action of a page; `danger` removes something. */
  readonly look?: 'main' | 'danger' | 'danger main' | 'link';
  readonly full?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly label?: string;
  /** The dialog that a script opens instead of sending the form. */
  readonly opens?: string;
  /** A short note next to the text. */
  readonly badge?: string | undefined;
}

export function Button({ text, look, full, describedBy, label, opens, badge, ...rest }: ButtonProps) {
  return (
    <button
      type="submit"
      class={classes(look, full)}
      aria-describedby={describedBy}
      aria-label={label}
      data-opens={opens}
      {...rest}
    >
      {text}
      {badge !== undefined && <span class="badge">{badge}</span>}
    </button>
  );
}

interface LinkButtonProps {
  readonly text: string;
  readonly href: string;
  readonly look?: 'main' | 'danger';
  readonly full?: boolean;
  readonly label?: string;
  readonly opens?: string;
}

/** A link that looks like a button. It changes nothing. */
export function LinkButton({ text, href, look, full, label, opens }: LinkButtonProps) {
  return (
    <a class={`button ${classes(look, full) ?? ''}`.trim()} href={href} aria-label={label} data-opens={opens}>
      {text}
    </a>
  );
}

function classes(look: string | undefined, full: boolean | undefined): string | undefined {
  return [look, full ? 'full' : undefined].filter(Boolean).join(' ') || undefined;
}

/**
 * The button that Enter triggers. Browsers choose a form's first button, so forms whose main button comes later start
 * with this one.
 */
export function DefaultButton({ text, opens }: { text: string; opens?: string }) {
  return (
    <button type="submit" class="unseen" tabindex={-1} data-opens={opens}>
      {text}
    </button>
  );
}

interface CopyProps {
  readonly id: string;
  readonly text: string;
  /** True to look like a link next to the text. */
  readonly isLink?: boolean;
}

/** Copies the text of the element with this id; hidden without script. Screen readers announce the copy. */
export function CopyButton({ id, text, isLink = false }: CopyProps) {
  return (
    <button
      type="button"
      class={isLink ? 'link' : undefined}
      hidden
      aria-live="polite"
      data-copies={id}
      data-copied={useTexts(commonTexts).copied}
    >
      {text}
    </button>
  );
}

/** A question before an irreversible action, and the form sent on confirmation. */
export interface Question extends FormProps {
  /** The id of the dialog. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly submit: string;
}

/** The modal question. */
export function QuestionDialog({ question }: { question: Question }) {
  return (
    <Dialog id={question.id} title={question.title}>
      <QuestionBody question={question}>
        <form method="dialog">
          <Button text={useTexts(commonTexts).cancel} />
        </form>
      </QuestionBody>
    </Dialog>
  );
}

/** The question as a page, for browsers without script. */
export function QuestionCard({ question, back }: { question: Question; back: string }) {
  return (
    <Card heading={question.title}>
      <QuestionBody question={question}>
        <LinkButton href={back} text={useTexts(commonTexts).cancel} />
      </QuestionBody>
    </Card>
  );
}

function QuestionBody({ question, children }: { question: Question; children: Child }) {
  const { id: _id, title: _title, text, submit, ...form } = question;
  return (
    <>
      <p>{text}</p>
      <Ending>
        {children}
        <Form {...form}>
          <Button look="danger main" text={submit} />
        </Form>
      </Ending>
    </>
  );
}
