import { AppError } from '../../../errors.ts';
import type { Client } from '../client.ts';

/** A client's request: the client and its parameters. */
export interface TokenRequest<Input> {
  readonly client: Client;
  readonly input: Input;
  readonly requestId: string;
}

/** @throws AppError validation_failed if it is missing */
export function requireField<Name extends string>(
  input: { readonly [key in Name]?: string | undefined },
  name: Name,
): string {
  const value = input[name];
  if (value === undefined) throw new AppError('validation_failed', [`${name} must be given`]);
  return value;
}
