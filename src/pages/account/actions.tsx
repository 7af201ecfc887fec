import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { closeAccount } from '../../features/account/close.ts';
import { updateProfile } from '../../features/account/me.ts';
import { closeInput, profileInput } from '../../features/account/schema.ts';
import { renamePasskey, unlinkCredential } from '../../features/credential/credential.ts';
import { credentialNameInput } from '../../features/credential/schema.ts';
import { clearSessionCookies, setAccessCookie } from '../../features/session/cookies.ts';
import { endOtherSessions, endOwnSession } from '../../features/session/session-list.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, clientInfo } from '../../http/context.ts';
import { type Locale, localeOf } from '../../http/locale.ts';
import { accountPaths, signInPath } from '../../lib/page-paths.ts';
import { accountTexts, profileTexts } from '../messages/account.ts';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput } from '../shared/parse-input.ts';
import { withQuery } from '../shared/paths.ts';
import { problemIn } from '../shared/problem.ts';
import { readAmount } from '../shared/read-amount.ts';
import { SignInAgain } from './again.tsx';
import type { Answer, Member, Refusal } from './member.tsx';
import type { AccountTab, Done } from './shell.tsx';
import { showCredentials, showProfile, showSessions } from './views.tsx';

export const unlink = credentialForm('unlinked', (c, deps, sessionId, form) =>
  unlinkCredential(deps, { sessionId, credentialId: form.get('id') ?? '', client: clientInfo(c) }),
);

export const rename = credentialForm('renamed', async (_c, deps, sessionId, form) => {
  const { name } = parseInput(credentialNameInput, { name: form.get('name') ?? '' });
  await renamePasskey(deps, { sessionId, credentialId: form.get('id') ?? '', name });
});

/** Handles a form about one credential, and shows the list again with a refusal. */
function credentialForm(
  done: Done,
  act: (c: AppContext, deps: Deps, sessionId: string, form: URLSearchParams) => Promise<unknown>,
): Answer {
  return async (c, deps, member) => {
    const form = await readForm(c);
    try {
      await act(c, deps, member.actor.sessionId, form);
    } catch (error) {
      return showCredentials(c, deps, member, refusalOf(c, error, accountPaths.credentials));
    }
    return doneWith(c, 'credentials', done);
  };
}

export async function endOne(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const { sessionId } = member.actor;
  const target = form.get('id') ?? '';
  try {
    await endOwnSession(deps, { sessionId, target });
  } catch (error) {
    return showSessions(c, deps, member, refusalOf(c, error, accountPaths.sessions));
  }
  if (target !== sessionId) return doneWith(c, 'sessions', 'ended');
  clearSessionCookies(c, deps);
  return c.redirect(withQuery(signInPath, { done: 'signedOut' }), 303);
}

export async function endOthers(c: AppContext, deps: Deps, { actor }: Member): Promise<Response> {
  await endOtherSessions(deps, actor.sessionId);
  return doneWith(c, 'sessions', 'othersEnded');
}

/** Saves name and language, or shows what was typed with its problems. */
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

/** Saves the amount above which approvals need a new sign-in; an empty field clears it. */
export async function saveStepUp(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const typedStepUp = (await readForm(c)).get('stepUpAmount') ?? '';
  const stepUpAmount = typedStepUp.trim() === '' ? null : readAmount(typedStepUp);
  const input = profileInput.safeParse({ stepUpAmount });
  if (!input.success) {
    c.header('X-Error-Code', 'validation_failed');
    const stepUpProblems = [walletTexts[localeOf(c)].badAmount];
    return showProfile(c, deps, member, { status: 400, typedStepUp, stepUpProblems });
  }
  try {
    await updateProfile(deps, member.actor, input.data);
  } catch (error) {
    return showProfile(c, deps, member, { ...refusalOf(c, error, accountPaths.profile), typedStepUp });
  }
  return doneWith(c, 'profile', 'saved');
}

/** Closes the identity permanently, if its handle was typed. */
export async function close(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const form = await readForm(c);
  const typed = closeInput.safeParse({ handle: form.get('handle') ?? '' }).data?.handle ?? '';
  try {
    await closeAccount(deps, { sessionId: member.actor.sessionId, typed, client: clientInfo(c) });
  } catch (error) {
    const refusal = refusalOf(c, error, accountPaths.profile);
    if (!(error instanceof AppError && error.code === 'wrong_handle')) {
      return showProfile(c, deps, member, refusal);
    }
    const closeProblems = [profileTexts[localeOf(c)].wrongHandle];
    return showProfile(c, deps, member, { status: refusal.status, closeProblems });
  }
  clearSessionCookies(c, deps);
  return c.redirect(withQuery(signInPath, { done: 'closed' }), 303);
}

function doneWith(c: AppContext, tab: AccountTab, done: Done): Response {
  return c.redirect(withQuery(accountPaths[tab], { done }), 303);
}

/**
 * The text of a refusal above the page it came from, whose address is `path`.
 * @throws the error itself if the person can do nothing about it there: an ended session, or a failure
 */
export function refusalOf(c: AppContext, error: unknown, path: string): Refusal {
  if (!(error instanceof AppError) || error.code === 'unauthenticated' || error.status >= 500) throw error;
  c.header('X-Error-Code', error.code);
  if (error.code === 'not_fresh') return { status: error.status, problem: <SignInAgain path={path} /> };
  const locale = localeOf(c);
  const text = error.status === 404 ? accountTexts[locale].goneAlready : sayError(error, locale);
  return { status: error.status, problem: <p>{text}</p> };
}

/** A refusal whose texts are beside the fields, so nothing appears above the page. */
export function refused(c: AppContext, error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  c.header('X-Error-Code', error.code);
  return { status: error.status };
}

function sayError(error: AppError, locale: Locale): string {
  return error.texts === errorTexts.en[error.code] ? errorTexts[locale][error.code] : error.message;
}
