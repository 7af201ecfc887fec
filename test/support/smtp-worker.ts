import { sendBySmtp } from '../../src/platform/mail-smtp-workers.ts';
import { carryOut } from './smtp-order.ts';

/** A Worker that sends mail over SMTP as it is told. */
export default {
  fetch: (request: Request): Promise<Response> => carryOut(sendBySmtp, request),
};
