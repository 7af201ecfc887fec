import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { listCredentials } from '../../features/credential/credential.ts';
import { askForCode, clearEmailCookie, emailBinding } from '../../features/email/cookie.ts';
import { signInWithPassword } from '../../features/email/login.ts';
import { PasswordRefused } from '../../features/email/password-rules.ts';
import { register, resendCode, verifyRegistration } from '../../features/email/register.ts';
import { forgetPassword, resetPassword } from '../../features/email/reset.ts';
import { addressInput, linkCodeInput, registerInput, resetInput } from '../../features/email/schema.ts';
import { setSessionCookies } from '../../features/session/cookies.ts';
import { readDevice, rememberDevice } from '../../features/session/device-cookie.ts';
import { answerSignIn, signInContext } from '../../features/sign-in/context.ts';
import { rememberWay } from '../../features/sign-in/cookies.ts';
import { type AppContext, clientInfo, type Locale } from '../../http/context.ts';
import { successUrl } from '../../lib/success-url.ts';
import { withQuery } from '../../lib/with-query.ts';
import { emailTexts } from '../messages/email.ts';
import { emailPageEndpoints, pageEndpoints } from '../shared/endpoints.ts';
import { popupUrl } from '../shared/paths.ts';
import {
  along,
  claimUrl,
  type EmailEntry,
  type EmailProblems,
  passwordProblem,
  problemsOf,
  type Way,
} from './entry.ts';
import { type PageName, showResetDone } from './views.tsx';

export type FormName = PageName | 'resend';

/** The action of each form; almost all redirect to another page. */
export const act: Record<FormName, (c: AppContext, deps: Deps, entry: EmailEntry) => Promise<Response>> = {
  async register(c, deps, entry) {
    const { email, password } = parse(registerInput, entry);
    await askForCode(c, deps, email, (asking) => register(deps, asking, password));
    return c.redirect(along(emailPageEndpoints.verify.path, entry), 303);
  },

  async resend(c, deps, entry) {
    const { email } = parse(addressInput, entry);
    await askForCode(c, deps, email, (asking) => resendCode(deps, asking));
    return c.redirect(along(emailPageEndpoints.verify.path, entry, { resent: '1' }), 303);
  },

  async verify(c, deps, entry) {
    const input = { ...parse(linkCodeInput, entry), boundTo: emailBinding(c, deps) };
    const outcome = await verifyRegistration(deps, input, signInContext(c, deps, entry.popup));
    clearEmailCookie(c, deps);
    answerSignIn(c, deps, outcome);
    rememberWay(c, deps, 'email');
    return c.redirect(outcome.type === 'claim_required' ? claimUrl(entry) : endOf(deps, entry), 303);
  },

  async login(c, deps, entry) {
    const { email, password } = parse(registerInput, entry);
    const input = { email, password, device: readDevice(c, deps, email) };
    const tokens = await signInWithPassword(deps, input, signInContext(c, deps, entry.popup));
    setSessionCookies(c, deps, tokens, deps.now());
    rememberWay(c, deps, 'email');
    return c.redirect(endOf(deps, entry), 303);
  },

  async forgot(c, deps, entry) {
    const { email } = parse(addressInput, entry);
    const device = readDevice(c, deps, email);
    await askForCode(c, deps, email, (asking) => forgetPassword(deps, asking, device));
    return c.redirect(along(emailPageEndpoints.reset.path, entry), 303);
  },

  async reset(c, deps, entry) {
    const parsed = parse(resetInput, entry);
    const { email } = parsed;
    const browser = {
      boundTo: emailBinding(c, deps),
      device: readDevice(c, deps, email),
      client: clientInfo(c),
    };
    const handle = await resetPassword(deps, { ...parsed, ...browser });
    c.set('endedSessions', true);
    clearEmailCookie(c, deps);
    rememberDevice(c, deps, email);
    const isSignedIn = await signInAfterReset(c, deps, { ...entry, ...parsed });
    const done = { way: entry, end: isSignedIn ? endOf(deps, entry) : null };
    return showResetDone(c, deps, { ...done, credentials: await listCredentials(deps, handle) });
  },
};

/** A person who has replaced the password need not type it again. A suspended person stays signed out. */
async function signInAfterReset(c: AppContext, deps: Deps, entry: EmailEntry): Promise<boolean> {
  const { email, password } = entry;
  try {
    const device = readDevice(c, deps, email);
    const context = signInContext(c, deps, entry.popup);
    setSessionCookies(
      c,
      deps,
      await signInWithPassword(deps, { email, password, device }, context),
      deps.now(),
    );
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

type Issues = Parameters<typeof problemsOf>[0];

/** An entry rejected by its schema; `problemsIn` gives the reasons. */
class EntryRefused extends AppError {
  readonly issues: Issues;

  constructor(issues: Issues) {
    super('validation_failed');
    this.issues = issues;
  }
}

interface EntrySchema<Input> {
  safeParse(entry: unknown): { data?: Input | undefined; error?: { issues: Issues } | undefined };
}

/** Parses an entry with the schema of the API body. @throws EntryRefused */
export function parse<Input>(schema: EntrySchema<Input>, entry: EmailEntry): Input {
  const { data, error } = schema.safeParse(entry);
  if (data === undefined) throw new EntryRefused(error?.issues ?? []);
  return data;
}

/** The error texts next to the form's fields; null if a different entry would not help. */
export function problemsIn(error: unknown, deps: Deps, locale: Locale): EmailProblems | null {
  const texts = emailTexts[locale];
  if (error instanceof EntryRefused) return problemsOf(error.issues, locale);
  if (error instanceof PasswordRefused) {
    return { password: passwordProblem(error.problem, deps.config.PASSWORD_MIN_LENGTH, locale) };
  }
  if (!(error instanceof AppError)) return null;
  if (error.code === 'code_refused') return { code: texts.codeRefused };
  return error.code === 'password_refused' ? { password: texts.passwordRefused } : null;
}

function endOf(deps: Deps, { returnTo, popup, toLink }: Way): string {
  if (toLink && deps.config.INTERFACE_REVISION === 'claim')
    return withQuery(pageEndpoints.showClaimLink.path, { returnTo });
  if (popup !== null) return popupUrl('done', popup);
  return successUrl(deps.config, { isNew: false, returnTo });
}
