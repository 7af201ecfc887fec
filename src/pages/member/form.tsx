import { AppError } from '../../errors.ts';
import { readForm } from '../../http/body.ts';
import type { Locale } from '../../http/context.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { accountTexts } from '../messages/account.ts';
import { errorTexts } from '../messages/errors.ts';
import type { FormProblems } from '../shared/form.ts';
import type { Answer, Member, Refusal } from './member.tsx';
import { type AccountTab, type Done, SignInAgain } from './page.tsx';

/** The error texts next to a form's fields, in the page's language; null if a different entry would not help. */
export type Explain = (error: AppError, form: URLSearchParams, locale: Locale) => FormProblems | null;

/** A form on a signed-in person's page. */
interface MemberForm {
  /** Carries out the form. Returns the URL to redirect to, or a page that must not have a URL. */
  act(member: Member, form: URLSearchParams): Promise<string | Response>;
  /** Shows the page with the form again. */
  again(member: Member, refusal: Refusal): Promise<Response>;
  readonly explain?: Explain;
  /**
   * The error shown above the page, or the URL of a page that helps.
   * @throws the error itself if the person can do nothing about it there
   */
  onError(member: Member, error: unknown, form: URLSearchParams): Refusal | string | Promise<Refusal>;
}

/** The only way to handle a form: it is carried out, or its page shows the entry and the reason for the rejection. */
export function memberForm({ act, again, explain, onError }: MemberForm): Answer {
  return async (member) => {
    const form = await readForm(member.c);
    try {
      const done = await act(member, form);
      return typeof done === 'string' ? member.c.redirect(done, 303) : done;
    } catch (error) {
      const problems = error instanceof AppError ? explain?.(error, form, member.locale) : null;
      const refusal = problems ? refused(member, error) : await onError(member, error, form);
      if (typeof refusal === 'string') return member.c.redirect(refusal, 303);
      return again(member, { ...refusal, typed: form, problems: problems ?? {} });
    }
  };
}

/** The URL of a tab that confirms the last action. */
export function doneAt(tab: AccountTab, done: Done): string {
  return withQuery(accountPaths[tab], { done });
}

/** `refusalOf` for the page at `path`. */
export function refusedAt(path: string | ((member: Member) => string)): MemberForm['onError'] {
  return (member, error) => refusalOf(member, error, typeof path === 'string' ? path : path(member));
}

/**
 * The error text shown above the page that it came from, at `path`.
 * @throws the error itself if the person can do nothing about it there: an ended session, or a failure
 */
export function refusalOf(member: Member, error: unknown, path: string): Refusal {
  if (!(error instanceof AppError) || error.code === 'unauthenticated' || error.status >= 500) throw error;
  const refusal = refused(member, error);
  if (error.code === 'not_fresh') return { ...refusal, problem: <SignInAgain path={path} /> };
  const { locale } = member;
  const text = error.status === 404 ? accountTexts[locale].goneAlready : sayError(error, locale);
  return { ...refusal, problem: <p>{text}</p> };
}

/** An error whose texts are next to the fields, so nothing is shown above the page. */
export function refused({ c }: Member, error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  c.header('X-Error-Code', error.code);
  return { status: error.status };
}

function sayError(error: AppError, locale: Locale): string {
  return error.texts === errorTexts.en[error.code] ? errorTexts[locale][error.code] : error.message;
}
