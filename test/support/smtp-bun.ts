import { sendBySmtp } from '../../src/platform/mail-smtp-node.ts';
import { carryOut } from './smtp-order.ts';

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch(request: Request): Promise<Response> }): unknown;
};

/** A Bun process that sends the mail it is given over SMTP. */
Bun.serve({
  port: Number(process.env['PORT']),
  hostname: '127.0.0.1',
  fetch: (request) => carryOut(sendBySmtp, request),
});
