import type { AppError } from '../../errors.ts';
import type { Locale } from '../../http/context.ts';
import { formatAmount } from '../../ui/format.ts';
import { fill } from '../../ui/view.ts';
import { errorTexts, limitTexts } from '../messages/errors.ts';

/** The text of an error for people; for a limit, it includes the remainder. */
export function errorText({ code, limit }: AppError, locale: Locale): string {
  const text = errorTexts[locale][code];
  if (limit === undefined) return text;
  const [most, left] = [formatAmount(locale, limit.most), formatAmount(locale, limit.left)];
  return `${text}: ${fill(limitTexts[locale].left, { most, left })}`;
}
