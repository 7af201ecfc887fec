import type { PasswordProblem } from '../../features/email/password-rules.ts';
import { maxPasswordLength } from '../../features/email/schema.ts';
import { isPopupId } from '../../lib/id.ts';
import { fill, type Locale } from '../../ui/locale.ts';
import { emailTexts } from '../messages/email.ts';
import { readReturnTo } from '../shared/return-to.ts';

/** Where a page of this area leads in the end; every form and link on the way carries it. */
export interface Way {
  readonly returnTo: string | null;
  /** The popup request that the sign-in answers. */
  readonly popup: string | null;
  /** What waits with the claim ticket is to be linked to the PID that is signed in to. */
  readonly toLink: boolean;
}

/** What a person entered. */
export interface EmailEntry extends Way {
  readonly email: string;
  readonly code: string;
  readonly password: string;
}

type Field = 'email' | 'code' | 'password';

/** What is wrong with an entry: a text by field, and one that belongs to none. */
export type EmailProblems = { readonly [Name in Field | 'general']?: string };

export function readWay(given: { get(name: string): string | null | undefined }): Way {
  const popup = given.get('popup');
  return {
    returnTo: readReturnTo(given.get('returnTo')),
    popup: isPopupId(popup) ? popup : null,
    toLink: given.get('claim') === 'link',
  };
}

/** Reads a posted form; a field that it does not have is empty. */
export function readEntry(form: URLSearchParams): EmailEntry {
  const field = (name: Field) => form.get(name) ?? '';
  return { ...readWay(form), email: field('email'), code: field('code'), password: field('password') };
}

/** What a link or a form of the way carries along. */
export function wayFields({ returnTo, popup, toLink }: Way): Record<string, string> {
  return {
    ...(returnTo === null ? {} : { returnTo }),
    ...(popup === null ? {} : { popup }),
    ...(toLink ? { claim: 'link' } : {}),
  };
}

/** An address with the way behind it. */
export function along(path: string, way: Way, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...wayFields(way), ...more });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The claim page that follows a proven address. */
export function claimPath({ returnTo, popup }: Way): string {
  if (popup !== null) return `/popup/claim?${new URLSearchParams({ c: popup })}`;
  return along('/v1/auth/claim', { returnTo, popup: null, toLink: false });
}

/** The ways to sign in, of a popup or of a page. */
export function otherWays(way: Way): string {
  const { popup } = way;
  if (popup !== null) return `/popup/login?${new URLSearchParams({ c: popup })}`;
  return along('/signin', { ...way, popup: null });
}

/** What a schema found wrong, in words for the page. */
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

/** Why a password cannot be set, in words for the page. */
export function passwordProblem(problem: PasswordProblem, least: number, locale: Locale): string {
  const { tooShort, tooLong, malformed, common, breached } = emailTexts[locale];
  const texts = { too_short: tooShort, too_long: tooLong, malformed, common, breached };
  return fill(texts[problem], { least, most: maxPasswordLength });
}
