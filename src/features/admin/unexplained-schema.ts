import * as z from 'zod/mini';

export const caseKinds = [
  ...(['deposit', 'second_payment', 'unfinished_deposit', 'withdrawal', 'difference'] as const),
  ...(['debt', 'suspense'] as const),
] as const;

export type CaseKindName = (typeof caseKinds)[number];

/** The query of GET /v1/admin/unexplained. */
export const unexplainedQuery = z.object({
  kind: z.optional(z.enum(caseKinds, `kind must be one of: ${caseKinds.join(', ')}`)),
  /** Only cases of this PID. */
  pid: z.optional(
    z
      .string('pid must be a PID')
      .check(z.regex(/^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]@pid$/, 'pid must be a PID')),
  ),
});

export type UnexplainedQuery = z.infer<typeof unexplainedQuery>;
