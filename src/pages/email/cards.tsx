import type { Credential } from '../../features/credential/schema.ts';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import { Card, Toast } from '../../ui/components/card.tsx';
import { Form, LinkButton } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { emailTexts } from '../messages/email.ts';
import { type ProviderNames, useProviderName } from '../shared/names.ts';
import { type EmailProblems, otherWays, pageOf, type Way, wayFields } from './entry.ts';
import { EmailField, EmailForm, MailedCodeField, NewPasswordField, UsernameField } from './forms.tsx';

interface CardProps {
  readonly way: Way;
  readonly email: string;
  readonly problems?: EmailProblems;
}

interface NewPasswordProps extends CardProps {
  /** The minimum length of a password. */
  readonly least: number;
}

export function RegisterCard({ way, email, problems = {}, least }: NewPasswordProps) {
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.registerTitle} lead={texts.registerLead}>
      <EmailForm action={emailEndpoints.registerEmail.path} way={way} submit={texts.register}>
        <EmailField value={email} problems={problems} />
        <NewPasswordField isFirst least={least} problems={problems} />
      </EmailForm>
      <OtherWays way={way} />
    </Card>
  );
}

interface CodeCardProps extends CardProps {
  /** The lifetime of a code. */
  readonly minutes: number;
}

/** Does not reveal whether a code was sent, because that would show whether another person's address is registered. */
export function VerifyCard(props: CodeCardProps & { readonly resent: boolean }) {
  const { way, email, minutes, problems = {}, resent } = props;
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.verifyTitle} lead={fill(texts.verifyLead, { email, minutes })}>
      {resent && <Toast>{texts.resent}</Toast>}
      <EmailForm action={emailEndpoints.verifyEmail.path} way={way} hidden={{ email }} submit={texts.verify}>
        <MailedCodeField problems={problems} />
      </EmailForm>
      <hr />
      <p class="hint">{texts.resendLead}</p>
      <Resend way={way} email={email} />
      <p class="last">
        <a href={pageOf('register', { ...way, email })}>{texts.goBack}</a>
      </p>
    </Card>
  );
}

/** The script disables the button for a minute. Without script, the rate limits apply. */
function Resend({ way, email }: { way: Way; email: string }) {
  const texts = useTexts(emailTexts);
  return (
    <Form action={emailEndpoints.resendEmailCode.path} hidden={{ ...wayFields(way), email }}>
      <button type="submit" data-wait="60" data-text={texts.resendIn}>
        {texts.resend}
      </button>
    </Form>
  );
}

/** The address is already verified; only the handle is missing. */
export function VerifiedCard({ claimUrl }: { claimUrl: string }) {
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.verifiedTitle} lead={texts.verifiedLead}>
      <LinkButton href={claimUrl} look="main" full text={texts.toClaim} />
    </Card>
  );
}

/** This browser has not requested a code, or the code has expired. */
export function ExpiredCard({ minutes, path, action }: { minutes: number; path: string; action: string }) {
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.expiredTitle} lead={fill(texts.expiredLead, { minutes })}>
      <LinkButton href={path} look="main" full text={action} />
    </Card>
  );
}

export function ForgotCard({ way, email, problems = {} }: CardProps) {
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.forgotTitle} lead={texts.forgotLead}>
      <EmailForm action={emailEndpoints.forgotPassword.path} way={way} submit={texts.forgot}>
        <EmailField value={email} problems={problems} />
      </EmailForm>
      <OtherWays way={way} />
    </Card>
  );
}

export function ResetCard({ way, email, minutes, least, problems = {} }: CodeCardProps & NewPasswordProps) {
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.resetTitle} lead={fill(texts.resetLead, { email, minutes })}>
      <EmailForm action={emailEndpoints.resetPassword.path} way={way} submit={texts.reset}>
        <UsernameField email={email} />
        <MailedCodeField isLong problems={problems} />
        <NewPasswordField least={least} problems={problems} />
      </EmailForm>
      <EmailForm
        action={emailEndpoints.forgotPassword.path}
        way={way}
        hidden={{ email }}
        submit={texts.resend}
        look="link"
      />
    </Card>
  );
}

interface OthersProps {
  readonly credentials: readonly Credential[];
  readonly names: ProviderNames;
}

interface ResetDoneProps extends OthersProps {
  readonly way: Way;
  /** The outcome of the sign-in with the new password; null if it was rejected. */
  readonly end: string | null;
}

export function ResetDoneCard({ way, end, ...others }: ResetDoneProps) {
  const texts = useTexts(emailTexts);
  return (
    <Card title={texts.resetDoneTitle} lead={end === null ? texts.resetDoneLead : texts.resetSignedIn}>
      <OtherCredentials {...others} />
      {end === null ? (
        <LinkButton href={otherWays(way)} look="main" full text={texts.signIn} />
      ) : (
        <LinkButton href={end} look="main" full text={texts.continue} />
      )}
    </Card>
  );
}

/** Lists the other credentials, because a stranger with the old password may have linked one. */
export function OtherCredentials({ credentials, names }: OthersProps) {
  const texts = useTexts(emailTexts);
  const nameOf = useProviderName(names);
  const others = credentials.filter(({ provider }) => provider !== 'email');
  if (others.length === 0) return <p class="quiet">{texts.noOthers}</p>;
  return (
    <>
      <p>{texts.othersLead}</p>
      <ul>
        {others.map(({ provider, email }) => (
          <li>{email === null ? nameOf(provider) : `${nameOf(provider)} · ${email}`}</li>
        ))}
      </ul>
    </>
  );
}

function OtherWays({ way }: { way: Way }) {
  return (
    <p class="last">
      <a href={otherWays(way)}>{useTexts(emailTexts).otherWays}</a>
    </p>
  );
}
