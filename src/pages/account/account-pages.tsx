import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import type { AppError } from '../../errors.ts';
import { closeAccount } from '../../features/account/close.ts';
import { accountEndpoints } from '../../features/account/endpoints.ts';
import { updateProfile } from '../../features/account/me.ts';
import { closeInput, profileInput } from '../../features/account/schema.ts';
import { renamePasskey, unlinkCredential } from '../../features/credential/credential.ts';
import { credentialEndpoints } from '../../features/credential/endpoints.ts';
import { credentialNameInput } from '../../features/credential/schema.ts';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { clearSessionCookies, setAccessCookie } from '../../features/session/cookies.ts';
import { sessionEndpoints } from '../../features/session/endpoints.ts';
import { endOtherSessions, endOwnSession } from '../../features/session/session-list.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { accountPaths, accountPaths as paths, signInPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { redirectKeepingView } from '../../ui/page.tsx';
import { doneAt, memberForm, refusedAt } from '../member/form.tsx';
import { type Answer, membersAt } from '../member/member.tsx';
import { profileTexts } from '../messages/account.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput, problemIn, readAmount, textOf } from '../shared/form.ts';
import { lacksWallet, personAt } from '../wallet/section.tsx';
import { change, finishLink, showChange, showLink, showLinkCode, startLink } from './email.tsx';
import { showActivity, showCredentials, showProfile, showSessions, showUnlink } from './views.tsx';

/**
 * `/account`: the pages on which people view and change their identity. Every tab is a page and every action a form, so
 * everything works without script. Each request uses the limit of its API route.
 */
export function accountPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const [credentials, sessions] = [membersAt(deps, paths.credentials), membersAt(deps, paths.sessions)];
  const profile = membersAt(deps, paths.profile);

  pages.get(paths.home, membersAt(deps, paths.home)(accountEndpoints.getMe, showFirst));
  pages.get(paths.credentials, credentials(credentialEndpoints.listCredentials, showCredentials));
  pages.get(paths.unlink, credentials(credentialEndpoints.listCredentials, showUnlink));
  pages.post(paths.unlink, credentials(credentialEndpoints.unlinkCredential, unlink));
  pages.post(paths.rename, credentials(credentialEndpoints.renamePasskey, rename));
  pages.get(paths.password, credentials(credentialEndpoints.listCredentials, showChange));
  pages.post(paths.password, credentials(emailEndpoints.changePassword, change));
  pages.get(paths.email, credentials(credentialEndpoints.listCredentials, showLink));
  pages.post(paths.email, credentials(emailEndpoints.linkEmail, startLink));
  pages.get(paths.emailCode, credentials(credentialEndpoints.listCredentials, showLinkCode));
  pages.post(paths.emailCode, credentials(emailEndpoints.verifyLinkedEmail, finishLink));
  pages.get(paths.sessions, sessions(sessionEndpoints.listSessions, showSessions));
  pages.post(paths.endSession, sessions(sessionEndpoints.endSession, endOne));
  pages.post(paths.endOthers, sessions(sessionEndpoints.endOtherSessions, endOthers));
  pages.get(paths.profile, profile(accountEndpoints.getMe, showProfile));
  pages.post(paths.profile, profile(accountEndpoints.updateMe, saveProfile));
  pages.post(paths.stepUp, profile(accountEndpoints.updateMe, saveStepUp));
  pages.post(paths.close, profile(accountEndpoints.closeMe, close));
  pages.get(paths.activity, membersAt(deps, paths.activity)(accountEndpoints.listActivity, showActivity));

  return pages;
}

/** Leads to the wallet of a person who has one. */
const showFirst: Answer = async ({ c, deps, actor }) => {
  const tab = await getWallet(deps, personAt(actor)).then(
    () => paths.wallet,
    (error) => {
      if (lacksWallet(error)) return paths.credentials;
      throw error;
    },
  );
  return redirectKeepingView(c, deps, tab);
};

const ofCredential = { again: showCredentials, onError: refusedAt(accountPaths.credentials) };
const ofProfile = { again: showProfile, onError: refusedAt(accountPaths.profile) };

export const unlink = memberForm({
  ...ofCredential,
  async act({ c, deps, sessionId }, form) {
    await unlinkCredential(deps, { sessionId, credentialId: textOf(form, 'id'), client: clientInfo(c) });
    return doneAt('credentials', 'unlinked');
  },
});

export const rename = memberForm({
  ...ofCredential,
  async act({ deps, sessionId }, form) {
    const { name } = parseInput(credentialNameInput, { name: textOf(form, 'name') });
    await renamePasskey(deps, { sessionId, credentialId: textOf(form, 'id'), name });
    return doneAt('credentials', 'renamed');
  },
});

export const endOne = memberForm({
  again: showSessions,
  onError: refusedAt(accountPaths.sessions),
  async act({ c, deps, sessionId }, form) {
    const target = textOf(form, 'id');
    await endOwnSession(deps, { sessionId, target });
    if (target !== sessionId) return doneAt('sessions', 'ended');
    clearSessionCookies(c, deps);
    return withQuery(signInPath, { done: 'signedOut' });
  },
});

export const endOthers: Answer = async ({ c, deps, sessionId }) => {
  await endOtherSessions(deps, sessionId);
  return c.redirect(doneAt('sessions', 'othersEnded'), 303);
};

const isInvalid = ({ code }: AppError) => code === 'validation_failed';

/** Saves name and language. */
export const saveProfile = memberForm({
  ...ofProfile,
  explain: (error, _form, locale) =>
    isInvalid(error) ? { displayName: [error.texts].flat().map((text) => problemIn(locale, text)) } : null,
  async act({ c, deps, actor }, form) {
    const typed = { displayName: textOf(form, 'displayName'), locale: form.get('locale') || null };
    const { access } = await updateProfile(deps, actor, parseInput(profileInput, typed));
    setAccessCookie(c, deps, access, deps.now());
    return doneAt('profile', 'saved');
  },
});

/** Saves the amount above which approvals need a new sign-in; an empty field clears it. */
export const saveStepUp = memberForm({
  ...ofProfile,
  explain: (error, _form, locale) =>
    isInvalid(error) ? { stepUpAmount: [walletTexts[locale].badAmount] } : null,
  async act({ deps, actor }, form) {
    const typed = textOf(form, 'stepUpAmount');
    const stepUpAmount = typed.trim() === '' ? null : readAmount(typed);
    await updateProfile(deps, actor, parseInput(profileInput, { stepUpAmount }));
    return doneAt('profile', 'saved');
  },
});

/** Closes the identity permanently, if its handle was typed. */
export const close = memberForm({
  ...ofProfile,
  explain: ({ code }, _form, locale) =>
    code === 'wrong_handle' ? { handle: [profileTexts[locale].wrongHandle] } : null,
  async act({ c, deps, sessionId }, form) {
    const typed = closeInput.safeParse({ handle: textOf(form, 'handle') }).data?.handle ?? '';
    await closeAccount(deps, { sessionId, typed, client: clientInfo(c) });
    clearSessionCookies(c, deps);
    return withQuery(signInPath, { done: 'closed' });
  },
});
