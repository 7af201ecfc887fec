import type { Statement } from '../../db/database.ts';

/** The maximum number of batches that share one transaction. */
export const mostTogether = 64;

/** A batch that waits for its turn. */
export interface Waiting<Answer> {
  readonly statements: readonly Statement[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Returns whether a batch may share a transaction with others. A single read does not: it needs no commit. Nor does
 * a setting, which some databases refuse inside a transaction.
 */
export function isWrite(statements: readonly Statement[]): boolean {
  return statements.length > 1 || statements.some(({ text }) => change.test(text));
}

const change = /^\s*(INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;
