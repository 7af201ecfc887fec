import { sendBySmtp } from '../../src/platform/mail-smtp-workers.ts';
import { carryOut } from './smtp-order.ts';

/** A Worker that sends the mail it is given over SMTP. */
export default {
  fetch: (request: Request): Promise<Response> => carryOut(sendBySmtp, request),
};
