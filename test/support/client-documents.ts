import { inject } from 'vitest';
import type { Target } from './target.ts';

/** An unregistered client. */
export interface DocumentClient {
  readonly id: string;
  readonly redirectUris: string[];
}

let count = 0;

/** The address of a document that no other test uses, at a server outside the service. */
export const newAddress = (): string =>
  `${inject('hooks')}/.well-known/client-${process.pid}-${++count}.json`;

interface Served {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
}

/** Sets the response of a document's server. */
export async function serveAt(id: string, served: Served): Promise<void> {
  const headers = { 'Content-Type': 'application/json', ...served.headers };
  await fetch(id, { method: 'PUT', body: JSON.stringify({ ...served, headers }) });
}

export function documentOf(id: string, changes: object = {}): string {
  return JSON.stringify({
    client_id: id,
    client_name: 'Helpful Agent',
    redirect_uris: ['http://127.0.0.1/callback', 'com.example.agent:/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...changes,
  });
}

/** A client whose document is served. The service may fetch one more document. */
export async function newDocumentClient(target: Target, changes: object = {}): Promise<DocumentClient> {
  const id = newAddress();
  await serveAt(id, { text: documentOf(id, changes) });
  await target.advance(1);
  return { id, redirectUris: ['http://127.0.0.1:53211/callback'] };
}
