import type { Result } from './errors.ts';
import { networkError } from './request.ts';

type Methods<Api> = { [Name in keyof Api]: (...args: never[]) => Promise<unknown> };

/** The same methods; each may find that its file cannot be loaded. */
type Lazy<Api extends Methods<Api>> = {
  [Name in keyof Api]: (...args: Parameters<Api[Name]>) => Promise<Result<Awaited<ReturnType<Api[Name]>>>>;
};

/**
 * Methods in a file of their own, which the first call of any of them loads, once. What that file takes from the rest
 * is handed to it by `load`, so that the rest stays one file.
 * @param names all of them, since a file that is not there cannot say
 */
export function lazy<Api extends Methods<Api>>(
  load: () => Promise<Api>,
  names: Record<keyof Api, 1>,
): Lazy<Api> {
  const methods = {} as Lazy<Api>;
  let loading: Promise<Api> | undefined;
  for (const name in names) {
    methods[name] = (...args) => {
      loading ??= load();
      return loading.then(
        (api) => api[name](...args) as never,
        () => {
          // What could not be loaded is tried again by the next call.
          loading = undefined;
          return networkError;
        },
      );
    };
  }
  return methods;
}
