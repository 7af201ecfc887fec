import type { Hono, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { accountKey } from '../../features/email/by-account.ts';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, type AppEnv, isNavigation, localeOf } from '../../http/context.ts';
import { endpointLimiter, rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { forNavigations } from '../../ui/page.tsx';
import { emailPageEndpoints } from '../shared/endpoints.ts';
import { markPopup } from '../shared/popup-frame.tsx';
import { act, type FormName, problemsIn } from './actions.ts';
import { type EmailEntry, pageOf, readEntry } from './entry.ts';
import { getPage, type PageName, type ShowPage, show } from './views.tsx';

/** The endpoint that each form posts to. */
const forms = {
  register: emailEndpoints.registerEmail,
  resend: emailEndpoints.resendEmailCode,
  verify: emailEndpoints.verifyEmail,
  login: emailEndpoints.signInWithPassword,
  forgot: emailEndpoints.forgotPassword,
  reset: emailEndpoints.resetPassword,
};

/**
 * Registration, sign-in and reset as pages. Their cookies have the path /v1/auth, so these pages share the API's paths,
 * where only browsers get the pages.
 * @param showLogin shows the sign-in with its other methods
 */
export function emailPages(deps: Deps, showLogin: ShowPage): Hono<AppEnv> {
  const pages = new Routes();
  for (const name of Object.keys(emailPageEndpoints) as PageName[]) {
    const endpoint = emailPageEndpoints[name];
    const page = forNavigations(rateLimit(deps, endpoint), (c) => getPage(c, deps, name, showLogin));
    pages.get(endpoint.path, page);
  }
  for (const name of Object.keys(forms) as FormName[])
    pages.post(forms[name].path, formPosted(deps, name, showLogin));
  return pages;
}

/** Handles a form under the limit of its API route; only one of the two counts a request. */
function formPosted(deps: Deps, name: FormName, showLogin: ShowPage): MiddlewareHandler<AppEnv> {
  const page = pageNameOf(name);
  const showPage = page === 'login' ? showLogin : show[page];
  const limit = endpointLimiter(deps, forms[name]);
  return async function posted(c, next) {
    if (!isNavigation(c)) return next();
    let form: URLSearchParams;
    try {
      form = await readForm(c);
    } catch (error) {
      await limit(c, null);
      throw error;
    }
    const entry = readEntry(deps, form);
    markPopup(c, entry.popup);
    c.set('back', pageOf(page, entry));
    await limit(c, accountKey(c, deps, entry.email));
    return send(c, deps, { name, entry, showPage });
  };
}

/** The page with the form. */
function pageNameOf(name: FormName): PageName {
  return name === 'resend' ? 'verify' : name;
}

/** Carries out a form, or shows it again with its problems. */
async function send(
  c: AppContext,
  deps: Deps,
  { name, entry, showPage }: { name: FormName; entry: EmailEntry; showPage: ShowPage },
): Promise<Response> {
  try {
    return await act[name](c, deps, entry);
  } catch (error) {
    const problems = problemsIn(error, deps, localeOf(c));
    if (problems === null || !(error instanceof AppError)) throw error;
    c.header('X-Error-Code', error.code);
    const status = error.status as ContentfulStatusCode;
    const shown = { way: entry, email: entry.email, problems, status };
    return showPage(c, deps, shown);
  }
}
