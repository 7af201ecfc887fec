/** A few entries of a key-value store, in the order of their keys, and where the next ones begin. */
export interface KeyValuePage {
  readonly entries: readonly { readonly key: string; readonly value: string }[];
  /** Hand this to the next `list`; null when there is nothing more. */
  readonly next: string | null;
}

/**
 * A store outside the database, for what must outlive it. A put that has returned is kept; another reader may
 * see it late, so nothing is ever decided by what this store does not show.
 */
export interface KeyValueStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  /** The entries whose keys begin with `prefix`, at most a hundred at a time. */
  list(prefix: string, cursor: string | null): Promise<KeyValuePage>;
}
