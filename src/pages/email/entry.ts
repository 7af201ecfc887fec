import type { Deps } from '../../deps.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import type { PasswordProblem } from '../../features/email/password-rules.ts';
import { maxPasswordLength } from '../../features/email/schema.ts';
import { readReturnTo } from '../../features/idp/return-to.ts';
import type { Locale } from '../../http/context.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { isPopupId } from '../../lib/id.ts';
import { signInPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { fill } from '../../ui/view.ts';
import { emailTexts } from '../messages/email.ts';
import { emailPageEndpoints } from '../shared/endpoints.ts';
import { textOf } from '../shared/form.ts';
import { popupUrl } from '../shared/paths.ts';

/** The destination of the sign-in, contained in every form and link on the way. */
export interface Way {
  readonly returnTo: string | null;
  /** The popup request that the sign-in approves. */
  readonly popup: string | null;
  /** True if the account waiting with the claim ticket will be linked to the PID. */
  readonly toLink: boolean;
  /** True if providers must require a new sign-in. */
  readonly prompt?: 'login';
}

/** The person's entry. */
export interface EmailEntry extends Way {
  readonly email: string;
  readonly code: string;
  readonly password: string;
}

type Field = 'email' | 'code' | 'password';

/** An entry's problems by field. */
export type EmailProblems = { readonly [Name in Field]?: string };

export function readWay(deps: Deps, given: { get(name: string): string | null | undefined }): Way {
  const popup = given.get('popup');
  return {
    returnTo: readReturnTo(deps, given.get('returnTo')),
    popup: isPopupId(popup) ? popup : null,
    toLink: given.get('claim') === 'link',
    ...(given.get('prompt') === 'login' ? { prompt: 'login' } : {}),
  };
}

/** Reads a posted form. Missing fields are empty. */
export function readEntry(deps: Deps, form: URLSearchParams): EmailEntry {
  const field = (name: Field) => textOf(form, name);
  return { ...readWay(deps, form), email: field('email'), code: field('code'), password: field('password') };
}

/** The destination as fields of a form or a query. */
export function wayFields({ returnTo, popup, toLink, prompt }: Way): Record<string, string> {
  return {
    ...(returnTo === null ? {} : { returnTo }),
    ...(popup === null ? {} : { popup }),
    ...(toLink ? { claim: 'link' } : {}),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** A URL with the destination. */
export function along(path: string, way: Way, more: Record<string, string> = {}): string {
  return withQuery(path, { ...wayFields(way), ...more });
}

/** The URL of a form's page, with the entered email address, if it is valid. */
export function pageOf(
  name: keyof typeof emailPageEndpoints,
  { email, ...way }: Way & { readonly email: string },
): string {
  return along(emailPageEndpoints[name].path, way, canonicalEmail(email) === null ? {} : { email });
}

/**
 * The address in a query, to fill in. Anyone can link here, so any other text would put a stranger's words on our page.
 */
export function readEmail(given: string | undefined): string {
  return given !== undefined && canonicalEmail(given) !== null ? given : '';
}

/** The claim page, which follows after the address is verified. */
export function claimUrl({ returnTo, popup }: Way): string {
  return popup === null
    ? withQuery(claimEndpoints.previewClaim.path, { returnTo })
    : popupUrl('claim', popup);
}

/** The page with all sign-in methods. */
export function otherWays(way: Way): string {
  return way.popup === null ? along(signInPath, way) : popupUrl('login', way.popup);
}

/** The problems found by a schema, as page texts. */
export function problemsOf(
  issues: readonly { readonly code?: string | undefined; readonly path: readonly PropertyKey[] }[],
  locale: Locale,
): EmailProblems {
  const texts = emailTexts[locale];
  const found: { [Name in Field]?: string } = {};
  for (const { code, path } of issues) {
    if (path[0] === 'email') found.email = texts.badEmail;
    if (path[0] === 'code') found.code = texts.badCode;
    if (path[0] === 'password') {
      found.password = code === 'too_big' ? passwordProblem('too_long', 0, locale) : texts.emptyPassword;
    }
  }
  return found;
}

/** The reason why a password was rejected, as a page text. */
export function passwordProblem(problem: PasswordProblem, least: number, locale: Locale): string {
  const { tooShort, tooLong, malformed, common, breached } = emailTexts[locale];
  const texts = { too_short: tooShort, too_long: tooLong, malformed, common, breached };
  return fill(texts[problem], { least, most: maxPasswordLength });
}
