import type { Explain } from '../member/form.tsx';
import { deskTexts } from '../messages/desk.ts';
import { deskMoveTexts } from '../messages/desk-move.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { errorTexts } from '../messages/errors.ts';
import { type FormProblems, textOf } from '../shared/form.ts';
import { deskForms } from './forms.tsx';

/** The API's fields that have another name in a form. */
const renamed: Readonly<Record<string, string>> = { bps: 'percent' };

/** The errors of a form of the desk next to its fields, in plain words; null for those about none of its fields. */
export const explainForm: Explain = (error, form, locale) => {
  const act = textOf(form, 'act');
  const inputs: readonly { name: string }[] = Object.hasOwn(deskForms, act)
    ? deskForms[act as keyof typeof deskForms]
    : [];
  const has = (name: string) => name === 'reason' || inputs.some((input) => input.name === name);
  if (error.status === 404 && has('id')) return { id: [deskTexts[locale].unknownId] };
  if (error.code === 'amount_too_large' && has('amount')) return { amount: [errorTexts[locale][error.code]] };
  if (error.code !== 'validation_failed') return null;
  const problems: Record<string, string[]> = {};
  for (const text of [error.texts].flat()) {
    const [first = ''] = text.split(' ');
    const name = renamed[first] ?? first;
    if (!has(name)) return null;
    problems[name] = [plainWords(name, locale) ?? text];
  }
  return problems satisfies FormProblems;
};

function plainWords(name: string, locale: 'en' | 'id'): string | undefined {
  const { choose, dayHint, badPercent } = deskTexts[locale];
  const { badAccount, badAmount } = deskMoveTexts[locale];
  const words: Readonly<Record<string, string>> = {
    ...{
      from: badAccount,
      to: badAccount,
      amount: badAmount,
      fixed: badAmount,
      min: badAmount,
      max: badAmount,
    },
    ...{ returnedAmount: badAmount, percent: badPercent, day: dayHint },
    ...{ decision: choose, outcome: choose, reason: deskPeopleTexts[locale].reasonMissing },
  };
  return words[name];
}
