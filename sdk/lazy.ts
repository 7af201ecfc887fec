import { type ApiError, networkError, type Result, type unwrap } from './errors.ts';

type Methods<Api> = { [Name in keyof Api]: (...args: never[]) => Promise<unknown> };

/** The same methods, which can also fail because their file cannot be loaded. */
type Lazy<Api extends Methods<Api>> = {
  [Name in keyof Api]: (...args: Parameters<Api[Name]>) => Promise<Result<Awaited<ReturnType<Api[Name]>>>>;
};

/** The same methods, which reject with an Error instead of returning one. */
type Throwing<Api extends Methods<Api>> = {
  [Name in keyof Api]: (
    ...args: Parameters<Api[Name]>
  ) => Promise<Exclude<Awaited<ReturnType<Api[Name]>>, ApiError>>;
};

/**
 * An area of the client whose methods are in a separate file, which the first call loads. A method keeps its identity.
 * `load` passes in the file's dependencies, because importing them would split the main file.
 * @param own the members that exist without the file
 * @param finish handles every result: with `unwrap`, errors reject
 */
export function lazy<Api extends Methods<Api>, Own extends object = object>(
  load: () => Promise<Api>,
  own?: Own,
): Lazy<Api> & Own;
export function lazy<Api extends Methods<Api>, Own extends object>(
  load: () => Promise<Api>,
  own: Own,
  finish: typeof unwrap,
): Throwing<Api> & Own;
export function lazy<Api extends Methods<Api>>(
  load: () => Promise<Api>,
  own = {},
  finish?: typeof unwrap,
): object {
  let loading: Promise<Api> | undefined;
  const members = own as Record<string | symbol, unknown>;
  return new Proxy(members, {
    get(_, name) {
      // With a `then`, `await` would mistake the area for a promise.
      if (name in members || name === 'then' || typeof name === 'symbol') return members[name];
      members[name] = (...args: never[]) => {
        loading ??= load();
        return loading
          .then(
            (api) => api[name as keyof Api](...args),
            () => {
              // The next call tries again.
              loading = undefined;
              return networkError;
            },
          )
          .then(finish);
      };
      return members[name];
    },
  });
}
