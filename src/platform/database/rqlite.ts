import type { Database, Statement } from '../../db/database.ts';
import { type Runner, repeatLost, servicePatienceMs } from './repeat.ts';
import { bodyOf, kindOf, RqliteError, readAnswer } from './rqlite-answer.ts';
import {
  createNodes,
  engineName,
  majorOf,
  NodeFault,
  type Nodes,
  oldestSafe,
  versionFault,
} from './rqlite-nodes.ts';

export interface RqliteOptions {
  readonly url: string;
  /** True to use no node of a version that breaks a guarantee. */
  readonly isStrict?: boolean;
}

export interface OpenedRqlite {
  readonly run: Runner;
  /** The name and version of the engine, once a node has responded. */
  engine(): string | null;
}

/** The pause after every node was asked in vain. A cluster takes a second or more to elect a leader. */
const pauseMs = 100;

/** Opens an rqlite cluster. Batches run concurrently, because on Workers no request may wait for another's. */
export function openRqlite(options: RqliteOptions): { readonly db: Database; engine(): string | null } {
  const { run, engine } = rqliteRunner(options);
  return { engine, db: { batch: async (statements) => (await run(statements, servicePatienceMs)) as never } };
}

/**
 * Runs batches on the leader of an rqlite cluster. While it does not respond, the nodes are asked in turn until the
 * patience ends; a new leader is known after a second or two.
 */
export function rqliteRunner({ url, isStrict = false }: RqliteOptions): OpenedRqlite {
  const nodes = createNodes(url);
  const run: Runner = async (statements, patienceMs) => {
    if (statements.length === 0) return [];
    const endsAt = performance.now() + patienceMs;
    const left = () => Math.ceil(endsAt - performance.now());
    let asked = 0;
    const attempt = async () => {
      asked += 1;
      // A node that hangs leaves time to ask another.
      const signal = AbortSignal.timeout(Math.max(1, asked === 1 ? Math.ceil(patienceMs / 2) : left()));
      const origin = nodes.first();
      try {
        return await ask(nodes, isStrict, statements, signal);
      } catch (error) {
        if (isLost(error as Error) && origin === nodes.first()) nodes.prefer();
        throw error;
      }
    };
    return repeatLost(attempt, isLost, async () => {
      if (asked % nodes.origins.length === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return left() > 0;
    });
  };
  return { run, engine: () => engineName(nodes.facts(nodes.first())) };
}

/** Asks the node believed to be the leader, or the one that it names, if that is one of ours. */
async function ask(nodes: Nodes, isStrict: boolean, statements: readonly Statement[], signal: AbortSignal) {
  const send = async (origin: string, redirects: boolean) => {
    const { version } = await nodes.know(origin, signal);
    const fault = isStrict ? versionFault(version) : null;
    if (fault !== null) throw new NodeFault(fault);
    const request = requestOf(statements, version);
    const path = redirects ? `${request.path}&redirect` : request.path;
    return { request, response: await nodes.send(origin + path, signal, request.body) };
  };
  const origin = nodes.first();
  let { request, response } = await send(origin, true);
  if (response.status === 301) {
    const leader = nodes.origins.find((each) => response.headers.get('Location')?.startsWith(`${each}/`));
    await response.body?.cancel();
    if (leader !== undefined) nodes.prefer(leader);
    // A node passes the statements on to a leader that has no address of ours.
    ({ request, response } = await send(leader ?? origin, false));
  }
  const text = await response.text();
  if (response.status !== 200) throw new Error(`rqlite: ${response.status} ${text.slice(0, 200)}`);
  return readAnswer(text, statements, request.proof);
}

/**
 * Schema changes go to an endpoint that rolls back even if a statement does not compile; it returns no rows of SELECT.
 * Elsewhere the last statement selects a new value, which proves that the response is to this request and that all
 * statements before it ran. Changes go through the log; `strong` only keeps the leader from waiting before. Version 8
 * knows no linearizable read.
 */
function requestOf(statements: readonly Statement[], version: string) {
  const kind = kindOf(statements);
  if (kind === 'schema')
    return { path: '/db/execute?transaction&norwrandom&norwtime', body: bodyOf(statements), proof: null };
  const proof = crypto.randomUUID();
  const level = kind === 'read' && majorOf(version) >= oldestSafe ? 'linearizable' : 'strong';
  return {
    path: `/db/request?transaction&blob_array&norwrandom&norwtime&level=${level}`,
    body: bodyOf([...statements, { text: 'SELECT ? AS proof', values: [proof] }]),
    proof,
  };
}

function isLost(error: Error): boolean {
  return !(error instanceof RqliteError || error instanceof RangeError);
}
