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
import { parse, problemsIn } from '../email/actions.ts';
import { type EmailEntry, type EmailProblems, readEmail, readEntry } from '../email/entry.ts';
import { doneAt, refusalOf, refused } from '../member/form.tsx';
import type { Answer, Member } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { withQuery } from '../shared/paths.ts';
import { ChangeCard, LinkCodeCard, LinkEmailCard } from './email-cards.tsx';

/** A form of the account for email and password. */
interface AccountForm {
  /** The form with its entry and problems. */
  view(deps: Deps, entry: EmailEntry, problems: EmailProblems): Child;
  /** Carries out the form; returns the address to go to. */
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
  // Anyone can link here, so anything but an address would put their text on our page.
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

/** As `memberForm`, with the entry and the problems that the sign-in's forms for email and password have. */
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
