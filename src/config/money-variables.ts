import * as z from 'zod/mini';
import { limitVariables } from './limit-settings.ts';

const wholeNumber = (most: number, fallback: number) => {
  const message = `must be a whole number from 0 to ${most}`;
  return z._default(
    z.coerce.number(message).check(z.int(message), z.minimum(0, message), z.maximum(most, message)),
    fallback,
  );
};

export const moneyVariables = {
  ...limitVariables,
  /** The highest app fee. */
  APP_FEE_MAX_BASIS_POINTS: wholeNumber(10_000, 1_000),
  APP_FEE_MAX_FIXED: wholeNumber(1_000_000_000, 10_000),
  /**
   * In rupiah: above this amount, a second administrator has to approve the decisions of the first. No amount exceeds
   * the maximum.
   */
  DESK_SECOND_ABOVE: wholeNumber(1_000_000_000_000, 10_000_000),
};
