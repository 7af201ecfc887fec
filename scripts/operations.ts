import type * as z from 'zod/mini';
import type { Example } from '../contract/examples/example.ts';
import type { FeatureApi, Operation } from '../contract/operation.ts';
import { anyBody, type Method } from '../src/http/endpoint.ts';
import { bucketName, policyOf } from '../src/http/rate-limit.ts';

/** The caller that a limit counts. All but the address also have a ceiling per address. */
export type CountedPer = 'address' | 'session' | 'identity' | 'popup' | 'account';

/** An operation with its endpoint object's properties and its examples. */
export interface DescribedOperation extends Omit<Operation, 'query'> {
  readonly method: Method;
  readonly path: string;
  readonly limit?: {
    readonly name: string;
    readonly requests: number;
    readonly per: CountedPer;
    readonly ceiling: number;
  };
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** True if the body may also be a form, as in OAuth. */
  readonly isForm: boolean;
  /** True if it reads a body, even if it ignores the body. */
  readonly readsBody: boolean;
  readonly examples: readonly Example[];
}

export interface DescribedFeature extends Omit<FeatureApi, 'operations'> {
  readonly operations: readonly DescribedOperation[];
}

/** The contract with its endpoints and examples filled in. */
export function describeContract(contract: readonly FeatureApi[]): Promise<DescribedFeature[]> {
  return Promise.all(
    contract.map(async (feature) => ({
      ...feature,
      operations: await Promise.all(
        feature.operations.map((operation) => describe(operation, feature.examples[operation.id] ?? [])),
      ),
    })),
  );
}

async function describe(operation: Operation, examples: readonly Example[]): Promise<DescribedOperation> {
  const { endpoint, needs = endpoint.actor && { anyOf: endpoint.actor.cookies } } = operation;
  const own = typeof endpoint.query === 'function' ? await endpoint.query() : endpoint.query;
  const query = operation.query ?? own;
  const form = await endpoint.form?.();
  const body = form ?? (typeof endpoint.body === 'function' ? await endpoint.body() : endpoint.body);
  return {
    ...operation,
    method: endpoint.method,
    path: endpoint.path,
    ...(needs ? { needs } : {}),
    ...(endpoint.limit ? { limit: limitOf(endpoint) } : {}),
    ...(query ? { query: query as z.ZodMiniObject } : {}),
    ...(body && body !== anyBody ? { body } : {}),
    isForm: form !== undefined,
    readsBody: body !== undefined,
    examples,
  };
}

function limitOf(endpoint: Operation['endpoint']): NonNullable<DescribedOperation['limit']> {
  const { requests, ceiling, by } = policyOf(endpoint.limit ?? 0);
  const per = endpoint.actor?.countedBy.per ?? by?.per ?? 'address';
  return { name: bucketName(endpoint), requests, per, ceiling };
}
