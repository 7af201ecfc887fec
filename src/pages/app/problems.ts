import type { Locale } from '../../http/locale.ts';
import { fill } from '../../ui/view.ts';
import type { Explain } from '../member/form.tsx';
import { appTexts, webhookTexts } from '../messages/app.ts';
import { linesOf } from '../shared/form-lines.ts';
import { problemIn } from '../shared/problem.ts';

/** The texts of a refusal beside the form's fields, in the page's language; null if another entry would not help. */
export const formProblems: Explain = (error, form, locale) => {
  if (error.code !== 'validation_failed') return null;
  const problems: Record<string, string[]> = {};
  for (const text of [error.texts].flat()) {
    const [, field = '', index] = /^(\w+)(?:\.(\d+))?/.exec(text) ?? [];
    const entry = linesOf(form.get(field))[Number(index)] ?? form.get(field) ?? '';
    problems[field] = [...(problems[field] ?? []), sayProblem(text, { field, entry, locale })];
  }
  return problems;
};

/** The API's texts never change, so the pages translate them by text. Unknown ones stay as the API says them. */
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
  return field === 'name' ? problemIn(locale, text.replace('name', 'displayName')) : text;
}
