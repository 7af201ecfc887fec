import { validationError } from '../../http/body.ts';

interface Schema<Input> {
  safeParse(value: unknown): {
    data?: Input | undefined;
    error?: { issues: Parameters<typeof validationError>[0] } | undefined;
  };
}

/** Reads a form or a query of a page by a schema of the API. @throws AppError validation_failed */
export function parseInput<Input>(schema: Schema<Input>, value: unknown): Input {
  const { data, error } = schema.safeParse(value);
  if (data === undefined) throw validationError(error?.issues ?? []);
  return data;
}
