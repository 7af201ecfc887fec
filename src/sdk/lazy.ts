import { networkError, type Result } from './errors.ts';

type Methods<Api> = { [Name in keyof Api]: (...args: never[]) => Promise<unknown> };

/** The same methods, which can also fail because their file cannot be loaded. */
type Lazy<Api extends Methods<Api>> = {
  [Name in keyof Api]: (...args: Parameters<Api[Name]>) => Promise<Result<Awaited<ReturnType<Api[Name]>>>>;
};

/**
 * An area of the client whose methods are in a separate file, which the first call loads. A method keeps its identity.
 * `load` passes in what that file needs, because an import of it would split the main file.
 * @param own the members that exist without the file
 */
export function lazy<Api extends Methods<Api>, Own extends object = object>(
  load: () => Promise<Api>,
  own: Own = {} as Own,
): Lazy<Api> & Own {
  let loading: Promise<Api> | undefined;
  const members = own as Record<string | symbol, unknown>;
  return new Proxy(members, {
    get(_, name) {
      // With a `then`, `await` would take the area for a promise.
      if (name in members || name === 'then' || typeof name === 'symbol') return members[name];
      members[name] = (...args: never[]) => {
        loading ??= load();
        return loading.then(
          (api) => api[name as keyof Api](...args),
          () => {
            // The next call tries again.
            loading = undefined;
            return networkError;
          },
        );
      };
      return members[name];
    },
  }) as unknown as Lazy<Api> & Own;
}
