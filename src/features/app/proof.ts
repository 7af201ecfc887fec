import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import { fromUtf8 } from '../../lib/encoding.ts';
import { mayCall } from './address.ts';
import { clientList } from './schema.ts';

/** The file at a resource's origin that names its owner. */
const proofPath = '/.well-known/pid-resource';
const proofFile = z.object({ owner: z.string(), clients: z._default(clientList, []) });
const maxProofBytes = 10_000;
const timeoutMs = 5000;

interface Proof {
  readonly url: string;
  /** Null if the file cannot be read; `reason` goes to the log. */
  readonly file: z.infer<typeof proofFile> | null;
  readonly reason: string;
}

/** Reads an origin's file about its resources. */
export async function readProof(deps: Deps, origin: string): Promise<Proof> {
  const url = origin + proofPath;
  if (!mayCall(deps, url)) return { url, file: null, reason: 'the address is not public' };
  try {
    const headers = { Accept: 'application/json', 'User-Agent': 'Peridot' };
    const { status, bytes } = await deps.callOut({ url, headers, timeoutMs, maxBytes: maxProofBytes });
    const proof =
      status === 200 ? proofFile.safeParse(JSON.parse(fromUtf8(bytes ?? new Uint8Array()))) : null;
    return { url, file: proof?.data ?? null, reason: `status ${status}, or another owner` };
  } catch (error) {
    return { url, file: null, reason: error instanceof Error ? error.message : 'no answer' };
  }
}
