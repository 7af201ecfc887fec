import type { Statement } from '../../db/database.ts';
import { createHistogram, type Histogram } from '../../lib/metrics.ts';

/** The maximum number of batches that share one transaction. */
export const mostTogether = 64;

/** Counts the batches that share a transaction. */
export function createGroupSizes(): Histogram {
  return createHistogram({
    name: 'peridot_database_group_size',
    help: 'Batches in one transaction.',
    bounds: [1, 2, 4, 8, 16, 32, mostTogether],
  });
}

/** A batch waiting for its turn. */
export interface Waiting<Answer> {
  readonly statements: readonly Statement[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Returns whether a batch may share a transaction with others. A single read does not, because it needs no commit. Nor
 * does a setting, which some databases reject inside a transaction.
 */
export function isWrite(statements: readonly Statement[]): boolean {
  return statements.length > 1 || statements.some(({ text }) => change.test(text));
}

const change = /^\s*(INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;
