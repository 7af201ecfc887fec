import type { Result } from './errors.ts';
import { networkError } from './request.ts';

type Methods<Api> = { [Name in keyof Api]: (...args: never[]) => Promise<unknown> };

/** The same methods, which can also fail because their file cannot be loaded. */
type Lazy<Api extends Methods<Api>> = {
  [Name in keyof Api]: (...args: Parameters<Api[Name]>) => Promise<Result<Awaited<ReturnType<Api[Name]>>>>;
};

/**
 * Methods in a separate file, which the first call loads. `load` passes in what that file needs, because an import of
 * it would split the main file.
 * @param names the names of all methods, which are needed before the file is there
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
          // The next call tries again.
          loading = undefined;
          return networkError;
        },
      );
    };
  }
  return methods;
}
