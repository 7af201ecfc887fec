import type { Locale } from '../../http/locale.ts';
import { problemTexts } from '../messages/claim.ts';

type ProblemKey = keyof (typeof problemTexts)['en'];

/** The API's texts for problems in forms. The API never changes them, so the pages translate them by text. */
const keyOf: Readonly<Record<string, ProblemKey>> = {
  'handle must be 3 to 30 characters long': 'length',
  'handle must contain only letters a-z, digits, dots, underscores and hyphens': 'characters',
  'handle must start and end with a letter or digit': 'ends',
  'handle must not have two separators in a row': 'separators',
  'displayName must be shorter than or equal to 64 characters': 'nameLong',
  'displayName must not be empty': 'nameEmpty',
  'displayName must not contain control or invisible characters': 'nameInvisible',
  'PID already taken': 'taken',
};

/** A problem in the page's language. Unknown texts stay as the API says them. */
export function problemIn(locale: Locale, text: string): string {
  const key = keyOf[text] ?? (text in problemTexts.en ? (text as ProblemKey) : undefined);
  return key === undefined ? text : problemTexts[locale][key];
}

/** Every text of the API that the pages translate. */
export const knownProblems: readonly string[] = Object.keys(keyOf);
