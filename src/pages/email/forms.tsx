import type { Child } from 'hono/jsx';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import { CodeField, Field, PasswordInput } from '../../ui/components/field.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { emailTexts } from '../messages/email.ts';
import { type EmailProblems, pageOf, type Way, wayFields } from './entry.ts';

interface FormProps {
  readonly action: string;
  readonly way: Way;
  readonly submit: string;
  /** Hidden fields in addition to those with the destination. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly look?: 'main' | 'link';
  readonly badge?: string | undefined;
  readonly children?: Child;
}

/** A form with the destination and one button. */
export function EmailForm({ action, way, submit, hidden = {}, look = 'main', badge, children }: FormProps) {
  return (
    <Form action={action} hidden={{ ...wayFields(way), ...hidden }}>
      {children}
      {look === 'main' ? (
        <Button look="main" full text={submit} badge={badge} />
      ) : (
        <Button look="link" text={submit} />
      )}
    </Form>
  );
}

interface EmailFieldProps {
  readonly value: string;
  /** True if the browser's autofill also offers passkeys. */
  readonly offersPasskeys?: boolean;
  readonly problems?: EmailProblems;
}

export function EmailField({ value, offersPasskeys = false, problems = {} }: EmailFieldProps) {
  const input = { required: true, inputmode: 'email', autocapitalize: 'none', spellcheck: 'false' };
  return (
    <Field
      id="email"
      label={useTexts(emailTexts).email}
      type="email"
      autocomplete={offersPasskeys ? 'username webauthn' : 'username'}
      {...{ value, problems: problems.email === undefined ? [] : [problems.email] }}
      input={{ ...input, autofocus: value === '' && !offersPasskeys && Object.keys(problems).length === 0 }}
    />
  );
}

function PasswordField({ problems }: { problems: EmailProblems }) {
  return (
    <PasswordInput
      id="password"
      label={useTexts(emailTexts).password}
      problems={problems.password === undefined ? [] : [problems.password]}
    />
  );
}

/** Lets password managers know whose password is being replaced. */
export function UsernameField({ email }: { email: string }) {
  return <input type="text" name="email" value={email} autocomplete="username" hidden />;
}

interface NewPasswordProps {
  readonly least: number;
  /** True if the person has no password yet. */
  readonly isFirst?: boolean;
  readonly problems?: EmailProblems;
}

/** A new password, with its rules stated in advance. */
export function NewPasswordField({ least, isFirst = false, problems = {} }: NewPasswordProps) {
  const texts = useTexts(emailTexts);
  return (
    <PasswordInput
      id="password"
      label={isFirst ? texts.password : texts.newPassword}
      least={least}
      hint={fill(texts.passwordHint, { least })}
      problems={problems.password === undefined ? [] : [problems.password]}
    />
  );
}

interface MailedCodeProps {
  /** True for the longer code of a reset. */
  readonly isLong?: boolean;
  readonly problems?: EmailProblems;
}

export function MailedCodeField({ isLong = false, problems = {} }: MailedCodeProps) {
  const texts = useTexts(emailTexts);
  return (
    <CodeField
      {...{ id: 'code', label: texts.code, isLong }}
      hint={isLong ? texts.longCodeHint : texts.codeHint}
      problems={problems.code === undefined ? [] : [problems.code]}
    />
  );
}

export interface EmailSignInProps {
  readonly way: Way;
  readonly email?: string;
  readonly problems?: EmailProblems;
}

/** The email part of a sign-in page. Its form leads to the client, or to the popup's last page. */
export function EmailSignIn(props: EmailSignInProps & { readonly badge?: string | undefined }) {
  const { way, email = '', problems = {}, badge } = props;
  const texts = useTexts(emailTexts);
  return (
    <>
      <EmailForm
        action={emailEndpoints.signInWithPassword.path}
        way={way}
        submit={texts.signIn}
        badge={badge}
      >
        <EmailField offersPasskeys value={email} problems={problems} />
        <PasswordField problems={problems} />
      </EmailForm>
      <p class="quiet">
        <a href={pageOf('forgot', { ...way, email })}>{texts.forgotLink}</a>
      </p>
    </>
  );
}
