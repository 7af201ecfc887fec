/** A person's level; their wallet limits depend on it. */
export const levels = ['unverified', 'verified'] as const;
export type Level = (typeof levels)[number];
