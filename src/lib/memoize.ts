/**
 * Calls `load` until it succeeds, and then keeps the value. This is useful for modules, because Bun takes 30 µs to find
 * a loaded one. Until the first load succeeds, each request loads separately: in workerd an import ends with the
 * request that started it, so if that request is aborted, a shared promise would stay pending for all others.
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

/** Returns the value of a key in a map, and creates it on first use. */
export function getOrInsert<Key, Value>(memory: Memory<Key, Value>, key: Key, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
