import type { Sender, SmtpServer } from '../../src/config/mail-settings.ts';
import type { OutgoingMail } from '../../src/deps.ts';
import { sendBySmtp } from '../../src/platform/mail/mail-smtp-node.ts';

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch(request: Request): Promise<Response> }): unknown;
};

/** One email to send, as a test requests it over HTTP. */
export interface SmtpOrder {
  readonly server: SmtpServer;
  readonly from: Sender;
  readonly mail: OutgoingMail;
}

/** A Bun process that sends the given email over SMTP: 204, or 502 with the reason. */
Bun.serve({
  port: Number(process.env['PORT']),
  hostname: '127.0.0.1',
  async fetch(request) {
    if (request.method === 'GET') return new Response('here');
    const { server, from, mail } = (await request.json()) as SmtpOrder;
    try {
      await sendBySmtp(server, from, mail);
      return new Response(null, { status: 204 });
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 502 });
    }
  },
});
