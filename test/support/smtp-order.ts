import type { OutgoingMail } from '../../src/deps.ts';
import type { Sender, SmtpServer } from '../../src/lib/mail-settings.ts';
import type { SendBySmtp } from '../../src/platform/mail.ts';

/** One mail to send, as a test asks a runtime over HTTP. */
export interface SmtpOrder {
  readonly server: SmtpServer;
  readonly from: Sender;
  readonly mail: OutgoingMail;
}

/** Sends what a request orders: 204, or 502 and why it failed. */
export async function carryOut(send: SendBySmtp, request: Request): Promise<Response> {
  if (request.method === 'GET') return new Response('here');
  const { server, from, mail } = (await request.json()) as SmtpOrder;
  try {
    await send(server, from, mail);
    return new Response(null, { status: 204 });
  } catch (error) {
    return new Response(error instanceof Error ? error.message : String(error), { status: 502 });
  }
}
