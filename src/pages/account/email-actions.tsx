import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { listCredentials } from '../../features/credential/credential.ts';
import { changePassword } from '../../features/email/change.ts';
import { codeTtlSeconds } from '../../features/email/code.ts';
import { finishEmailLink, startEmailLink } from '../../features/email/link.ts';
import { linkCodeInput, newPasswordInput, registerInput } from '../../features/email/schema.ts';
import { rememberDevice } from '../../features/session/device-cookie.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, clientInfo } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { parse, problemsIn } from '../email/actions.ts';
import { type EmailEntry, type EmailProblems, readEmail, readEntry } from '../email/entry.ts';
import { withQuery } from '../shared/paths.ts';
import { refusalOf, refused } from './actions.tsx';
import { ChangeCard, LinkCodeCard, LinkEmailCard } from './email-cards.tsx';
import type { Answer, Member } from './member.tsx';
import { renderAccount } from './views.tsx';

/** A form of the account for email and password. */
interface AccountForm {
  /** The form with its entry and problems. */
  view(deps: Deps, entry: EmailEntry, problems: EmailProblems): Child;
  /** Carries out the form; returns the address to go to. */
  act(c: AppContext, deps: Deps, member: Member, entry: EmailEntry): Promise<string>;
}

const changeForm: AccountForm = {
  view: ({ config }, { email }, problems) => (
    <ChangeCard {...{ least: config.PASSWORD_MIN_LENGTH, problems, email }} />
  ),
  async act(c, deps, { actor: { sessionId } }, entry) {
    const { password } = parse(newPasswordInput, entry);
    rememberDevice(c, deps, await changePassword(deps, { sessionId, password, client: clientInfo(c) }));
    return withQuery(accountPaths.credentials, { done: 'passwordChanged' });
  },
};

const linkForm: AccountForm = {
  view: ({ config }, { email }, problems) => (
    <LinkEmailCard {...{ least: config.PASSWORD_MIN_LENGTH, problems, email }} />
  ),
  async act(c, deps, { actor: { handle, sessionId } }, entry) {
    const input = parse(registerInput, entry);
    await startEmailLink(deps, { ...input, handle, sessionId, locale: localeOf(c) });
    return withQuery(accountPaths.emailCode, { email: input.email });
  },
};

const linkCodeForm: AccountForm = {
  view: (_deps, { email }, problems) => (
    <LinkCodeCard {...{ email, minutes: codeTtlSeconds / 60, problems }} />
  ),
  async act(c, deps, { actor: { sessionId } }, entry) {
    const input = { ...parse(linkCodeInput, entry), sessionId, client: clientInfo(c) };
    await finishEmailLink(deps, input);
    rememberDevice(c, deps, input.email);
    return withQuery(accountPaths.credentials, { done: 'emailLinked' });
  },
};

export const showChange: Answer = async (c, deps, member) => {
  const credentials = await listCredentials(deps, member.actor.handle);
  const email = credentials.find(({ provider }) => provider === 'email')?.email ?? '';
  return showForm(c, deps, member, changeForm, email);
};
export const change = posted(changeForm);
export const showLink = opened(linkForm);
export const startLink = posted(linkForm);
export const showLinkCode: Answer = async (c, deps, member) =>
  // Anyone can link here, so anything but an address would put their text on our page.
  canonicalEmail(c.req.query('email') ?? '') === null
    ? c.redirect(accountPaths.email, 303)
    : opened(linkCodeForm)(c, deps, member);
export const finishLink = posted(linkCodeForm);

function opened(form: AccountForm): Answer {
  return async (c, deps, member) => showForm(c, deps, member, form, readEmail(c.req.query('email')));
}

function showForm(
  c: AppContext,
  deps: Deps,
  member: Member,
  form: AccountForm,
  email: string,
): Response | Promise<Response> {
  const entry = readEntry(deps, new URLSearchParams({ email }));
  return renderAccount(c, deps, member, { tab: 'credentials', body: form.view(deps, entry, {}) });
}

function posted(form: AccountForm): Answer {
  return async (c, deps, member) => {
    const entry = readEntry(deps, await readForm(c));
    try {
      return c.redirect(await form.act(c, deps, member, entry), 303);
    } catch (error) {
      const problems = problemsIn(error, deps, localeOf(c));
      const refusal = problems === null ? refusalOf(c, error, accountPaths.credentials) : refused(c, error);
      const body = form.view(deps, entry, problems ?? {});
      return renderAccount(c, deps, member, { tab: 'credentials', body, refusal });
    }
  };
}
