import { accountPaths } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import type { EmailProblems } from '../email/entry.ts';
import {
  EmailField,
  EmailForm,
  MailedCodeField,
  NewPasswordField,
  Problems,
  UsernameField,
} from '../email/forms.tsx';
import { emailTexts } from '../messages/email.ts';

const noWay = { returnTo: null, popup: null, toLink: false };

/** Leads to a new password, or to a first one. */
export function EmailSection({ hasPassword }: { hasPassword: boolean }) {
  const texts = useTexts(emailTexts);
  return (
    <Card heading={texts.sectionHeading} id="email-and-password">
      {hasPassword ? (
        <LinkButton href={accountPaths.password} text={texts.change} />
      ) : (
        <LinkButton href={accountPaths.email} text={texts.linkTitle} />
      )}
    </Card>
  );
}

interface PasswordProps {
  /** The minimum length of a password. */
  readonly least: number;
  readonly problems: EmailProblems;
}

/** @param email the address of the password */
export function ChangeCard({ least, problems, email }: PasswordProps & { readonly email: string }) {
  const texts = useTexts(emailTexts);
  return (
    <Card heading={texts.changeTitle} lead={texts.changeLead} id="change">
      <Problems problems={problems} />
      <EmailForm action={accountPaths.password} way={noWay} submit={texts.change}>
        <UsernameField email={email} />
        <NewPasswordField {...{ least, problems }} />
      </EmailForm>
    </Card>
  );
}

export function LinkEmailCard({ least, problems, email }: PasswordProps & { readonly email: string }) {
  const texts = useTexts(emailTexts);
  return (
    <Card heading={texts.linkTitle} lead={texts.linkLead} id="link-email">
      <Problems problems={problems} />
      <EmailForm action={accountPaths.email} way={noWay} submit={texts.register}>
        <EmailField value={email} problems={problems} />
        <NewPasswordField isFirst {...{ least, problems }} />
      </EmailForm>
    </Card>
  );
}

interface LinkCodeProps {
  readonly email: string;
  readonly minutes: number;
  readonly problems: EmailProblems;
}

export function LinkCodeCard({ email, minutes, problems }: LinkCodeProps) {
  const texts = useTexts(emailTexts);
  return (
    <Card heading={texts.verifyTitle} lead={fill(texts.linkVerifyLead, { email, minutes })} id="link-code">
      <Problems problems={problems} />
      <EmailForm action={accountPaths.emailCode} way={noWay} hidden={{ email }} submit={texts.verify}>
        <MailedCodeField problems={problems} />
      </EmailForm>
      <p class="last">
        <a href={accountPaths.email}>{texts.goBack}</a>
      </p>
    </Card>
  );
}
