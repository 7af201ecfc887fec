/**
 * Calls `load` until it has answered once, and then keeps the value. Useful for modules: Bun takes 30 µs to find one that is
 * already loaded. Until the first load ends, each request loads for itself: in workerd an import ends with the request that
 * began it, so a shared promise would stay pending for all others when that one is aborted.
 */
export function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let known: { readonly value: Value } | undefined;
  return async () => {
    if (known) return known.value;
    const value = await load();
    known ??= { value };
    return known.value;
  };
}
