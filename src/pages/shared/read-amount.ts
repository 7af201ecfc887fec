/** Whole rupiah, also in groups of three as people write them: `25000`, `25.000`, `25,000`. NaN for anything else. */
export function readAmount(text: string): number {
  const digits = text.trim();
  return /^\d{1,16}$|^\d{1,3}(([.,\s])\d{3})(\2\d{3})*$/.test(digits)
    ? Number(digits.replaceAll(/\D/g, ''))
    : Number.NaN;
}
