/**
 * Calls `load` until it has succeeded once, and then keeps the value. Useful for modules: Bun takes 30 µs to find one that is
 * already loaded. Until the first load ends, each request loads for itself: in workerd an import ends with the request that
 * began it, so a shared promise would stay pending for all others when that one is aborted.
 */
export function memoize<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let known: { readonly value: Value } | undefined;
  return async () => {
    if (known) return known.value;
    const value = await load();
    known ??= { value };
    return known.value;
  };
}

interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key in a map, created on first use. */
export function getOrInsert<Key, Value>(memory: Memory<Key, Value>, key: Key, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
