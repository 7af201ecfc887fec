import { validationError } from '../../http/body.ts';
import type { Locale } from '../../http/context.ts';
import { problemTexts } from '../messages/claim.ts';

interface Schema<Input> {
  safeParse(value: unknown): {
    data?: Input | undefined;
    error?: { issues: Parameters<typeof validationError>[0] } | undefined;
  };
}

/** Parses a page's form or query with an API schema. @throws AppError validation_failed */
export function parseInput<Input>(schema: Schema<Input>, value: unknown): Input {
  const { data, error } = schema.safeParse(value);
  if (data === undefined) throw validationError(error?.issues ?? []);
  return data;
}

/** A form's problems by field. */
export type FormProblems = Readonly<Record<string, readonly string[]>>;

/** The entry of a rejected form and its problems. */
export interface Entry {
  readonly typed?: URLSearchParams | undefined;
  readonly problems?: FormProblems | undefined;
}

/** A form field as entered or as stored, with its problems. */
export function fieldOf({ typed, problems }: Entry, id: string, kept = '') {
  return { id, value: typed?.get(id) ?? kept, problems: problems?.[id] ?? [] };
}

/** Returns the text of a form field; empty if it is missing. */
export function textOf(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}

/** The entries of a list with one entry per line. */
export function linesOf(text: string | null): string[] {
  return (text ?? '').split(/\r?\n/).flatMap((line) => line.trim() || []);
}

/**
 * Parses whole rupiah, even with a currency and thousands separators as people write them: `25000`, `Rp 25.000`,
 * `25,000`. NaN for anything else.
 */
export function readAmount(text: string): number {
  const digits = text.trim().replace(/^(?:rp\.?|idr)\s*/i, '');
  return /^\d{1,16}$|^\d{1,3}(([.,\s])\d{3})(\2\d{3})*$/.test(digits)
    ? Number(digits.replaceAll(/\D/g, ''))
    : Number.NaN;
}

type ProblemKey = keyof (typeof problemTexts)['en'];

/** The API texts for form problems. They never change, so the pages translate them by text. */
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

/** A problem in the page's language. Unknown texts are shown unchanged. */
export function problemIn(locale: Locale, text: string): string {
  const key = keyOf[text] ?? (text in problemTexts.en ? (text as ProblemKey) : undefined);
  return key === undefined ? text : problemTexts[locale][key];
}

/** Every API text that the pages translate. */
export const knownProblems: readonly string[] = Object.keys(keyOf);
