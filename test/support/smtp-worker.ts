import type { OutgoingMail } from '../../src/deps.ts';
import type { Sender, SmtpServer } from '../../src/lib/mail-settings.ts';
import { sendBySmtp } from '../../src/platform/mail-smtp-workers.ts';

/** A Worker that sends one mail over SMTP: 204, or 502 and why it failed. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'GET') return new Response('here');
    const order = (await request.json()) as { server: SmtpServer; from: Sender; mail: OutgoingMail };
    try {
      await sendBySmtp(order.server, order.from, order.mail);
      return new Response(null, { status: 204 });
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 502 });
    }
  },
};
