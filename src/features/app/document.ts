import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { addressKey } from '../../lib/address.ts';
import { fromUtf8 } from '../../lib/encoding.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { parseScopes } from '../../lib/scopes.ts';
import { mayCall } from './address.ts';
import { clientDocument } from './schema.ts';

/**
 * An unregistered client, as its document describes it (draft-ietf-oauth-client-id-metadata-document). Its id is the
 * address of the document.
 */
export interface ClientDocument {
  readonly id: string;
  /** Anyone who can publish on this host controls the client. */
  readonly host: string;
  /** The self-declared name. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  /** The scopes that it announces; null if it announces none. */
  readonly scopes: readonly string[] | null;
}

const maxLength = 500;
const maxBytes = 5000;
const timeoutMs = 5000;
const pauseMs = 50;
const leastKeptMs = 5 * 60_000;
const mostKeptMs = 86_400_000;
/** The draft caches no failures; one minute protects the named host from a fetch for every request. */
const failureKeptMs = 60_000;
/** A network may cause one request a second, and at most this many networks may do so at once. */
const networkMs = 1000;
const mostNetworks = 1000;
/** Failures never displace documents. */
const mostDocuments = 700;
const mostFailures = 300;

/** Returns whether a client's id is an address. No registered app has such an id. */
export function isDocumentId(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

/**
 * Returns the address of a client's host, under which an administrator suspends all clients of the host; null for the
 * id of a registered app. It is the id of no document, because a document has a path.
 */
export function hostOfClient(id: string): string | null {
  const url = isDocumentId(id) ? URL.parse(id) : null;
  return url === null ? null : `${url.origin}/`;
}

/** Returns the address of a host if the id is one, with or without the last slash; null for the id of a client. */
export function asHost(id: string): string | null {
  const host = hostOfClient(id);
  return host === id || host === `${id}/` ? host : null;
}

/** Returns whether CLIENT_DOCUMENTS lists the client's host. */
export function isListedDocument({ config }: Pick<Deps, 'config'>, id: string): boolean {
  const { protocol, host } = new URL(id);
  return protocol === 'https:' && config.CLIENT_DOCUMENTS.includes(host);
}

/**
 * An address that may identify a client (section 3 of the draft): https, with a path, exactly as browsers write it,
 * which excludes dot segments. It has no query either, because a trusted host may have a page that repeats its query. A
 * host has no dot at the end: it would be a second name of the host, which a suspension of the first would not cover. In
 * development the document may be on this machine.
 */
function isDocumentAddress(deps: Deps, id: string): boolean {
  const url = id.length <= maxLength ? URL.parse(id) : null;
  return (
    url !== null &&
    url.href === id &&
    !url.hostname.endsWith('.') &&
    url.pathname !== '/' &&
    !/[?#]/.test(id) &&
    mayCall(deps, id)
  );
}

interface Kept {
  readonly until: number;
  /** Null after a failure. */
  readonly document: ClientDocument | null;
}

interface Memory {
  readonly documents: Map<string, Kept>;
  readonly failures: Map<string, Kept>;
  /** When the pending requests started. */
  readonly pending: Map<string, number>;
  /** When each network last caused a request. */
  readonly networks: Map<string, number>;
}

const memories = new WeakMap<Deps, Memory>();

/**
 * Reads a client's document, from memory for five minutes to a day. An address is fetched by one request at a time, and a
 * network causes at most one fetch a second, because anyone can invent addresses.
 * @param address the network address of the visitor
 * @throws AppError client_document_invalid, rate_limited
 */
export async function readDocument(deps: Deps, id: string, address: string): Promise<ClientDocument> {
  const invalid = (reason?: string) =>
    new AppError('client_document_invalid', null, { oauth: 'invalid_client', ...(reason && { reason }) });
  if (!isDocumentAddress(deps, id)) throw invalid('the address cannot identify a client');
  const memory = getOrInsert(memories, deps, () => ({
    documents: new Map(),
    failures: new Map(),
    pending: new Map(),
    networks: new Map(),
  }));
  const { document } = await recallOrFetch(deps, memory, id, address);
  if (document === null) throw invalid();
  return document;
}

async function recallOrFetch(deps: Deps, memory: Memory, id: string, address: string): Promise<Kept> {
  for (let waits = 0; waits <= timeoutMs / pauseMs; waits += 1) {
    const kept = recall(memory, id, deps.now());
    if (kept !== null) return kept;
    if (!isPending(deps, memory, id)) return fetchOnce(deps, memory, id, address);
    // In workerd a request may not wait for another's promise.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new AppError('rate_limited', null, { retryAfterSeconds: 1 });
}

function recall({ documents, failures }: Memory, id: string, now: number): Kept | null {
  const kept = documents.get(id) ?? failures.get(id);
  if (kept === undefined || kept.until <= now) return null;
  if (kept.document !== null) keep(documents, id, kept, mostDocuments);
  return kept;
}

/** The request that fetches it may have been cancelled. */
function isPending({ now }: Deps, { pending }: Memory, id: string): boolean {
  const since = pending.get(id);
  return since !== undefined && now() - since <= 2 * timeoutMs;
}

async function fetchOnce(deps: Deps, memory: Memory, id: string, address: string): Promise<Kept> {
  const now = deps.now();
  countNetwork(memory, addressKey(address), now);
  memory.pending.set(id, now);
  try {
    const kept = await fetchDocument(deps, id);
    memory.documents.delete(id);
    memory.failures.delete(id);
    if (kept.document === null) keep(memory.failures, id, kept, mostFailures);
    else keep(memory.documents, id, kept, mostDocuments);
    return kept;
  } finally {
    memory.pending.delete(id);
  }
}

function countNetwork({ networks, pending }: Memory, network: string, now: number): void {
  if (networks.size >= mostNetworks) {
    for (const [one, at] of networks) if (now - at >= networkMs) networks.delete(one);
    for (const [one, at] of pending) if (now - at > 2 * timeoutMs) pending.delete(one);
  }
  const last = networks.get(network);
  if ((last !== undefined && now - last < networkMs) || networks.size >= mostNetworks)
    throw new AppError('rate_limited', null, { retryAfterSeconds: 1 });
  networks.set(network, now);
}

/** Adds the newest entry, and drops the oldest. */
function keep(entries: Map<string, Kept>, id: string, kept: Kept, most: number): void {
  entries.delete(id);
  entries.set(id, kept);
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}

async function fetchDocument(deps: Deps, id: string): Promise<Kept> {
  const failed = (reason: string): Kept => {
    deps.log.info('client_document.refused', { client: id, reason });
    return { until: deps.now() + failureKeptMs, document: null };
  };
  try {
    const headers = { Accept: 'application/json', 'User-Agent': 'Peridot' };
    const { status, bytes, contentType, cacheControl } = await deps.callOut({
      ...{ url: id, headers, timeoutMs, maxBytes },
    });
    if (status !== 200) return failed(`status ${status}`);
    if (!contentType || !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType))
      return failed('not JSON');
    const parsed = clientDocument.safeParse(JSON.parse(fromUtf8(bytes ?? new Uint8Array())));
    if (!parsed.success || parsed.data.client_id !== id || parsed.data.redirect_uris.length === 0)
      return failed('not the document of this public client');
    const { client_name: name, redirect_uris: redirectUris, scope } = parsed.data;
    if (!redirectUris.every((uri) => isOwnOrOnDevice(id, uri)))
      return failed('a redirect URI is at another origin than the document');
    const scopes = parseScopes(scope);
    const document = { id, host: new URL(id).host, name: name ?? null, redirectUris, scopes };
    return { until: deps.now() + keptMs(cacheControl ?? null), document };
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'no answer');
  }
}

/**
 * Returns whether a redirect URI is at the document's own origin, or leads to a program on the person's device. Anything
 * else would use the name of a host that serves anyone's files (section 6.4 of the draft).
 */
function isOwnOrOnDevice(id: string, redirectUri: string): boolean {
  const { protocol, origin } = new URL(redirectUri);
  return protocol !== 'https:' || origin === new URL(id).origin;
}

function keptMs(cacheControl: string | null): number {
  if (cacheControl === null) return leastKeptMs;
  const seconds = /(?:^|[\s,])max-age=(\d+)/i.exec(cacheControl)?.[1];
  const asked = /no-(?:store|cache)/i.test(cacheControl) ? 0 : Number(seconds ?? 0) * 1000;
  return Math.min(Math.max(asked, leastKeptMs), mostKeptMs);
}
