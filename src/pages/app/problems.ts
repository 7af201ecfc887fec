import type { Locale } from '../../http/context.ts';
import { fill } from '../../ui/view.ts';
import type { Explain } from '../member/form.tsx';
import { appTexts, feeTexts, webhookTexts } from '../messages/app.ts';
import { linesOf, problemIn, textOf } from '../shared/form.ts';

/** The error texts next to the form's fields, in the page's language; null if a different entry would not help. */
export const formProblems: Explain = (error, form, locale) => {
  if (error.code !== 'validation_failed') return null;
  const problems: Record<string, string[]> = {};
  for (const text of [error.texts].flat()) {
    const [, named = '', index] = /^(\w+)(?:\.(\d+))?/.exec(text) ?? [];
    const isDerived =
      ofAddress.includes(named) && form.has('address') && linesOf(form.get(named)).length === 0;
    if (isDerived && 'address' in problems) continue;
    const field = isDerived ? 'address' : named;
    const entry = linesOf(form.get(field))[Number(index)] ?? textOf(form, field);
    problems[field] = [...(problems[field] ?? []), sayProblem(text, { field, entry, locale })];
  }
  return problems;
};

/** Fields of a new app that are derived from its address unless they are filled in. */
const ofAddress = ['redirectUris', 'allowedOrigins', 'homepageUrl'];

/** The API texts never change, so the pages translate them by text. Unknown texts are shown unchanged. */
function sayProblem(text: string, about: { field: string; entry: string; locale: Locale }): string {
  const { field, entry, locale } = about;
  const texts = appTexts[locale];
  if (/must have at most/.test(text)) return texts.tooMany;
  if (/must not repeat/.test(text)) return texts.repeated;
  if (/must be an https URL/.test(text)) return fill(texts.badUri, { entry });
  if (/must be an https or loopback origin/.test(text)) return fill(texts.badOrigin, { entry });
  if (/must be proven/.test(text)) return texts.notProven;
  if (/URL of another service/.test(text)) return fill(texts.badResource, { entry });
  if (/must be a public https URL/.test(text)) return webhookTexts[locale].badUrl;
  if (field === 'logoUrl') return texts.badLogo;
  if (field === 'pkce') return texts.badPkce;
  if (field === 'deviceFlow') return texts.badDeviceFlow;
  if (/must be greater than or equal to min/.test(text)) return feeTexts[locale].inOrder;
  if (['fixed', 'bps', 'min', 'max'].includes(field)) return feeTexts[locale].badNumber;
  return field === 'name' ? problemIn(locale, text.replace('name', 'displayName')) : text;
}
