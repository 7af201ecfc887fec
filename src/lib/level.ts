/** A person's level, which determines their wallet limits. */
export const levels = ['unverified', 'verified'] as const;
export type Level = (typeof levels)[number];
