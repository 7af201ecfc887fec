import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import type { ClientInfo } from '../../../http/context.ts';
import type { AuthorizeAnswer, AuthorizeInput } from '../schema.ts';
import { announceGrant } from './announce.ts';
import { proceed, settle, takeRequest } from './authorize.ts';

/**
 * An authorization request from our own page, as JSON.
 * @returns the redirect target, or the question for the person and the proof to return with `decision: 'allow'`
 * @throws AppError those of `takeRequest` and `settle`; unauthenticated
 */
export async function authorizeByApi(
  deps: Deps,
  { sessionId, client, address }: { sessionId: string; client: ClientInfo; address: string },
  { decision, proof = '', ...input }: AuthorizeInput,
): Promise<AuthorizeAnswer> {
  const taken = await takeRequest(deps, toQuery(input), { sessionId, address, renewable: null });
  if (taken.request === null) {
    const { error: oauth, description } = taken.refusal;
    throw new AppError('validation_failed', [description], { oauth });
  }
  const { request, state } = taken;
  const step =
    decision === undefined
      ? await proceed(deps, request, state)
      : await settle(deps, request, state, { decision, proof, client });
  if (decision === 'allow') announceGrant(deps);
  if (step.next === 'answer') return { redirectTo: step.url };
  if (step.next !== 'consent') throw new AppError('unauthenticated');
  const { app: name, origin, scopes, resource, proof: shown } = step.screen;
  return {
    consentRequired: true,
    app: { id: request.clientId, name, origin },
    scopes: [...scopes],
    resource,
    proof: shown,
  };
}

/** Snake case, as in the parameters of the standards. */
function toQuery(input: Omit<AuthorizeInput, 'decision' | 'proof'>): URLSearchParams {
  const given = Object.entries(input).filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
