/**
 * Calls `load` when it is first needed, and again only after a failure, which may be temporary. For modules too: Bun takes
 * 30 µs to find one that is already loaded.
 */
export function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
