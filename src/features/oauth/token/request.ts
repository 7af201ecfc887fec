import { AppError } from '../../../errors.ts';
import type { ProvenKey } from '../../dpop/require-proof.ts';
import type { Client } from '../client.ts';

/** A client's request: the client, its parameters, and the key whose proof it carries. */
export interface TokenRequest<Input> {
  readonly client: Client;
  readonly input: Input;
  /** Null without the header `DPoP`. */
  readonly key: ProvenKey | null;
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
