/** The problems of a form by field. */
export type FormProblems = Readonly<Record<string, readonly string[]>>;

/** The entries of a list that was typed one a line. */
export function linesOf(text: string | null): string[] {
  return (text ?? '').split(/\r?\n/).flatMap((line) => line.trim() || []);
}
