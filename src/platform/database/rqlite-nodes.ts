/** What a node says about itself. */
export interface Facts {
  readonly version: string;
  readonly sqlite: string;
  /** Its own address for the other nodes. */
  readonly address: string;
  readonly leader: string;
  readonly members: readonly string[];
}

/** Why a node must not be used; the operator has to change something. */
export class NodeFault extends Error {}

export interface Nodes {
  readonly origins: readonly string[];
  /** The node that was the leader when it last responded. */
  readonly first: () => string;
  /** Starts with another node from now on: the given one, or the next. */
  prefer(origin?: string): void;
  /** What a node said about itself, if it was asked. */
  facts(origin: string): Facts | undefined;
  /** Asks a node about itself, once. @throws NodeFault */
  know(origin: string, signal: AbortSignal): Promise<Facts>;
  /** Never follows a redirect, which would send the statements elsewhere. */
  send(url: string, signal: AbortSignal, body?: string): Promise<Response>;
}

/** The first major version with which every guarantee of a batch holds. */
export const oldestSafe = 10;

/**
 * Returns the problem of an rqlite version, or null.
 * @param isOld decides otherwise, for a version without a number
 */
export function versionFault(version: string, isOld = majorOf(version) < oldestSafe): string | null {
  if (!isOld) return null;
  return `rqlite ${version} drops rows of RETURNING and keeps parts of rejected transactions: run version ${oldestSafe}.0 or later`;
}

export function engineName(facts: Facts | undefined): string | null {
  return facts ? `rqlite ${facts.version} (SQLite ${facts.sqlite})` : null;
}

export function majorOf(version: string): number {
  return Number.parseInt(version.replace(/^v/, ''), 10);
}

/** TLS, user, password and nodes of an address that the settings have accepted. */
const address = /^rqlite(s?):\/\/(?:(.+?):(.+)@)?(.+)$/i;

export function createNodes(url: string): Nodes {
  const [, tls, user, password, list = ''] = address.exec(url) ?? [];
  const origins = list.split(',').map((node) => {
    const { host } = new URL(`none://${node}`);
    return `http${tls}://${/:\d+$/.test(host) ? host : `${host}:4001`}`.toLowerCase();
  });
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (user !== undefined) {
    const bytes = new TextEncoder().encode(decodeURIComponent(`${user}:${password}`));
    headers['Authorization'] = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  }
  const known = new Map<string, Facts>();
  let at = 0;

  const send: Nodes['send'] = (target, signal, body) =>
    fetch(target, {
      headers,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { method: 'POST', body }),
    });

  return {
    origins,
    send,
    first: () => origins[at] ?? '',
    prefer(origin) {
      at = origin === undefined ? (at + 1) % origins.length : origins.indexOf(origin);
    },
    facts: (origin) => known.get(origin),
    async know(origin, signal) {
      const before = known.get(origin);
      if (before) return before;
      const response = await send(`${origin}/status`, signal);
      const facts = await readFacts(origin, response);
      for (const [other, theirs] of known) requireOne(origin, facts, other, theirs);
      known.set(origin, facts);
      return facts;
    },
  };
}

interface Status {
  readonly build?: { readonly version?: string };
  readonly store?: {
    readonly addr?: string;
    readonly db_conf?: { readonly fk_constraints?: boolean };
    readonly leader?: { readonly addr?: string };
    readonly nodes?: readonly { readonly addr?: string }[];
    readonly sqlite3?: { readonly version?: string };
  };
}

async function readFacts(origin: string, response: Response): Promise<Facts> {
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${origin} answers ${response.status}`);
  if (response.status === 401)
    throw new NodeFault(`${origin} rejects the user and password, or lets them not read /status`);
  const { build, store } = (text.startsWith('{') ? JSON.parse(text) : {}) as Status;
  if (response.status !== 200 || !store?.addr || !response.headers.has('X-Rqlite-Version'))
    throw new NodeFault(`${origin} is not a node of rqlite`);
  if (store.db_conf?.fk_constraints !== true)
    throw new NodeFault(`${origin} does not enforce foreign keys: start every node with -fk`);
  return {
    version: build?.version ?? '',
    sqlite: store.sqlite3?.version ?? '',
    address: store.addr,
    leader: store.leader?.addr ?? '',
    members: (store.nodes ?? []).map(({ addr = '' }) => addr),
  };
}

/** @throws NodeFault if two nodes are not different nodes of one cluster */
function requireOne(origin: string, facts: Facts, other: string, theirs: Facts): void {
  if (
    facts.address !== theirs.address &&
    (facts.members.includes(theirs.address) || theirs.members.includes(facts.address))
  )
    return;
  throw new NodeFault(`${origin} and ${other} are not two nodes of one cluster`);
}
