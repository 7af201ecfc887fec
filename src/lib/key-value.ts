/** A page of entries from a key-value store, in key order. */
export interface KeyValuePage {
  readonly entries: readonly { readonly key: string; readonly value: string }[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** A store for data that must outlive the database. A read may miss a recent put, so a missing entry proves nothing. */
export interface KeyValueStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  /** At most a hundred entries whose keys start with `prefix`. */
  list(prefix: string, cursor: string | null): Promise<KeyValuePage>;
}
