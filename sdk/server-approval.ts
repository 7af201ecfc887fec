import { encode } from './server-request.ts';

/** Options for `createApproval`. */
export interface ApprovalOptions {
  /** The address of the service, such as `https://id.example.com`. */
  baseUrl: string;
  appId: string;
  /** One of the app's secrets. */
  secret: string;
  /** The inquiry to approve, which must be this app's. */
  inquiryId: string;
  /** The origin of the page that opens the popup, one of the app's `allowedOrigins`. */
  origin: string;
  /** Replaces `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A request for an approval. Pass the first two members to the page, for `popup.approve`. */
export interface CreatedApproval {
  requestId: string;
  /** Lets its holder confirm the inquiry after the person approves it. */
  verifier: string;
  expiresAt: string;
}

/**
 * Registers a request to approve a payment for this app, with its secret. The request expires after two minutes.
 * @throws Error with the service's message; its `cause` is the ApiError
 */
export async function createApproval(options: ApprovalOptions): Promise<CreatedApproval> {
  const { baseUrl, appId, secret, inquiryId, origin, fetch: send = fetch } = options;
  const random = (bytes: number) => encode(crypto.getRandomValues(new Uint8Array(bytes)));
  const [id, verifier] = [random(16), random(32)];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const body = { id, kind: 'approval', challenge: encode(new Uint8Array(digest)), inquiryId, origin };
  const response = await send(`${new URL(baseUrl).origin}/v1/popup/requests`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(`${appId}:${secret}`)}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
  const answer = (await response.json()) as { message: string | string[]; expiresAt: string };
  if (!response.ok) throw new Error(String(answer.message), { cause: answer });
  return { requestId: id, verifier, expiresAt: answer.expiresAt };
}
