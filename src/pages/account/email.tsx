import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { listCredentials } from '../../features/credential/credential.ts';
import { changePassword } from '../../features/email/change.ts';
import { codeTtlSeconds } from '../../features/email/code.ts';
import { finishEmailLink, startEmailLink } from '../../features/email/link.ts';
import { linkCodeInput, newPasswordInput, registerInput } from '../../features/email/schema.ts';
import { rememberDevice } from '../../features/session/device-cookie.ts';
import { readForm } from '../../http/body.ts';
import { clientInfo } from '../../http/context.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { parse, problemsIn } from '../email/actions.ts';
import { type EmailEntry, type EmailProblems, readEmail, readEntry } from '../email/entry.ts';
import { EmailField, EmailForm, MailedCodeField, NewPasswordField, UsernameField } from '../email/forms.tsx';
import { doneAt, refusalOf, refused } from '../member/form.tsx';
import type { Answer, Member } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { emailTexts } from '../messages/email.ts';

/** An account form for email and password. */
interface AccountForm {
  /** The form with its entry and problems. */
  view(deps: Deps, entry: EmailEntry, problems: EmailProblems): Child;
  /** Carries out the form; returns the URL to redirect to. */
  act(member: Member, entry: EmailEntry): Promise<string>;
}

const changeForm: AccountForm = {
  view: ({ config }, { email }, problems) => (
    <ChangeCard {...{ least: config.PASSWORD_MIN_LENGTH, problems, email }} />
  ),
  async act({ c, deps, sessionId }, entry) {
    const { password } = parse(newPasswordInput, entry);
    rememberDevice(c, deps, await changePassword(deps, { sessionId, password, client: clientInfo(c) }));
    return doneAt('credentials', 'passwordChanged');
  },
};

const linkForm: AccountForm = {
  view: ({ config }, { email }, problems) => (
    <LinkEmailCard {...{ least: config.PASSWORD_MIN_LENGTH, problems, email }} />
  ),
  async act({ deps, actor: { handle }, sessionId, locale }, entry) {
    const input = parse(registerInput, entry);
    await startEmailLink(deps, { ...input, handle, sessionId, locale });
    return withQuery(accountPaths.emailCode, { email: input.email });
  },
};

const linkCodeForm: AccountForm = {
  view: (_deps, { email }, problems) => (
    <LinkCodeCard {...{ email, minutes: codeTtlSeconds / 60, problems }} />
  ),
  async act({ c, deps, sessionId }, entry) {
    const input = { ...parse(linkCodeInput, entry), sessionId, client: clientInfo(c) };
    await finishEmailLink(deps, input);
    rememberDevice(c, deps, input.email);
    return doneAt('credentials', 'emailLinked');
  },
};

export const showChange: Answer = async (member) => {
  const credentials = await listCredentials(member.deps, member.actor.handle);
  return showForm(member, changeForm, credentials.find(({ provider }) => provider === 'email')?.email ?? '');
};
export const change = posted(changeForm);
export const showLink = opened(linkForm);
export const startLink = posted(linkForm);
export const showLinkCode: Answer = async (member) =>
  // Anyone can link here, so showing anything but an address would put a stranger's text on our page.
  canonicalEmail(member.c.req.query('email') ?? '') === null
    ? member.c.redirect(accountPaths.email, 303)
    : opened(linkCodeForm)(member);
export const finishLink = posted(linkCodeForm);

function opened(form: AccountForm): Answer {
  return async (member) => showForm(member, form, readEmail(member.c.req.query('email')));
}

function showForm(member: Member, form: AccountForm, email: string): Promise<Response> {
  const entry = readEntry(member.deps, new URLSearchParams({ email }));
  return renderMember(member, { tab: 'credentials', body: form.view(member.deps, entry, {}) });
}

/** Like `memberForm`, with the entry and problems of the email and password forms of the sign-in. */
function posted(form: AccountForm): Answer {
  return async (member) => {
    const { c, deps, locale } = member;
    const entry = readEntry(deps, await readForm(c));
    try {
      return c.redirect(await form.act(member, entry), 303);
    } catch (error) {
      const problems = problemsIn(error, deps, locale);
      const refusal = problems ? refused(member, error) : refusalOf(member, error, accountPaths.credentials);
      const body = form.view(deps, entry, problems ?? {});
      return renderMember(member, { tab: 'credentials', body, refusal });
    }
  };
}

const noWay = { returnTo: null, popup: null, toLink: false };

/** Leads to changing the password, or to setting a first one. */
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
      <EmailForm action={accountPaths.emailCode} way={noWay} hidden={{ email }} submit={texts.verify}>
        <MailedCodeField problems={problems} />
      </EmailForm>
      <p class="last">
        <a href={accountPaths.email}>{texts.goBack}</a>
      </p>
    </Card>
  );
}
