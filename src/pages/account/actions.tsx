import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { closeAccount } from '../../features/account/close.ts';
import { updateProfile } from '../../features/account/me.ts';
import { closeInput, profileInput } from '../../features/account/schema.ts';
import { renamePasskey, unlinkCredential } from '../../features/credential/credential.ts';
import { credentialNameInput } from '../../features/credential/schema.ts';
import { clearSessionCookies, setAccessCookie } from '../../features/session/cookies.ts';
import { endOtherSessions, endOwnSession } from '../../features/session/session-list.ts';
import { readForm, validationError } from '../../http/body.ts';
import { type AppContext, clientInfo } from '../../http/context.ts';
import { type Locale, localeOf } from '../../ui/locale.ts';
import { accountTexts, profileTexts } from '../messages/account.ts';
import { errorTexts } from '../messages/errors.ts';
import { problemIn } from '../shared/problem.ts';
import { SignInAgain } from './again.tsx';
import type { Member } from './member.tsx';
import type { AccountTab, Done } from './shell.tsx';
import { type Refusal, showCredentials, showProfile, showSessions } from './views.tsx';

/** Unlinks the credential that the form names. */
export async function unlink(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const { sessionId } = member.actor;
  try {
    const credentialId = form.get('id') ?? '';
    await unlinkCredential(deps, { sessionId, credentialId, client: clientInfo(c) });
  } catch (error) {
    return showCredentials(c, deps, member, refusalOf(c, error, 'credentials'));
  }
  return doneWith(c, 'credentials', 'unlinked');
}

/** Names the passkey that the form names. */
export async function rename(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const { sessionId } = member.actor;
  try {
    const input = credentialNameInput.safeParse({ name: form.get('name') ?? '' });
    if (!input.success) throw validationError(input.error.issues);
    await renamePasskey(deps, { sessionId, credentialId: form.get('id') ?? '', name: input.data.name });
  } catch (error) {
    return showCredentials(c, deps, member, refusalOf(c, error, 'credentials'));
  }
  return doneWith(c, 'credentials', 'renamed');
}

/** Ends the session that the form names. */
export async function endOne(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const { sessionId } = member.actor;
  const target = form.get('id') ?? '';
  try {
    await endOwnSession(deps, { sessionId, target });
  } catch (error) {
    return showSessions(c, deps, member, refusalOf(c, error, 'sessions'));
  }
  if (target !== sessionId) return doneWith(c, 'sessions', 'ended');
  clearSessionCookies(c, deps);
  return c.redirect('/signin?done=signedOut', 303);
}

export async function endOthers(c: AppContext, deps: Deps, { actor }: Member): Promise<Response> {
  await endOtherSessions(deps, actor.sessionId);
  return doneWith(c, 'sessions', 'othersEnded');
}

/** Saves name and language; what is wrong with them stands beside its field, and what was typed stays. */
export async function saveProfile(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const typedName = form.get('displayName') ?? '';
  const input = profileInput.safeParse({ displayName: typedName, locale: form.get('locale') || null });
  if (!input.success) {
    c.header('X-Error-Code', 'validation_failed');
    const nameProblems = input.error.issues.map(({ message }) => problemIn(localeOf(c), message));
    return showProfile(c, deps, member, { status: 400, typedName, nameProblems });
  }
  const { access } = await updateProfile(deps, member.actor, input.data);
  setAccessCookie(c, deps, access, deps.now());
  return doneWith(c, 'profile', 'saved');
}

/** Closes the identity for good, if its handle was typed. */
export async function close(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const typed = closeInput.safeParse({ handle: form.get('handle') ?? '' }).data?.handle ?? '';
  try {
    await closeAccount(deps, { sessionId: member.actor.sessionId, typed });
  } catch (error) {
    const refusal = refusalOf(c, error, 'profile');
    if (!(error instanceof AppError && error.code === 'wrong_handle')) {
      return showProfile(c, deps, member, refusal);
    }
    const closeProblems = [profileTexts[localeOf(c)].wrongHandle];
    return showProfile(c, deps, member, { status: refusal.status, closeProblems });
  }
  clearSessionCookies(c, deps);
  return c.redirect('/signin?done=closed', 303);
}

function doneWith(c: AppContext, tab: AccountTab, done: Done): Response {
  return c.redirect(`/account/${tab}?${new URLSearchParams({ done })}`, 303);
}

/**
 * What a refused action says above the page it came from. Only refusals that the person can do something about
 * there; a session that has ended, and every failure, go on to whoever called.
 */
export function refusalOf(c: AppContext, error: unknown, tab: AccountTab): Refusal {
  if (!(error instanceof AppError) || error.code === 'unauthenticated' || error.status >= 500) throw error;
  c.header('X-Error-Code', error.code);
  if (error.code === 'not_fresh') return { status: error.status, problem: <SignInAgain tab={tab} /> };
  const isGone = error.status === 404;
  const texts = isGone ? accountTexts[localeOf(c)].goneAlready : sayError(error, localeOf(c));
  return { status: error.status, problem: <p>{texts}</p> };
}

function sayError(error: AppError, locale: Locale): string {
  return error.texts === errorTexts.en[error.code] ? errorTexts[locale][error.code] : error.message;
}
