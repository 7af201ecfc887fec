import type { Config } from '../config.ts';
import type { Deps, Logger, OutgoingMail } from '../deps.ts';
import type { Sender, SmtpServer } from '../lib/mail-settings.ts';
import { sendByResend } from './mail-resend.ts';

/** Sends one mail over SMTP. Each runtime has its own, loaded on first use. */
export type SendBySmtp = (server: SmtpServer, from: Sender, mail: OutgoingMail) => Promise<void>;

interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  readonly fetch: Deps['fetch'];
  readonly loadSmtp: () => Promise<SendBySmtp>;
}

/** The transport of MAIL_TRANSPORT. `outbox` sends nothing: the mailbox shows its mails in development. */
export function createMail({ config, log, fetch, loadSmtp }: Surroundings): Deps['mail'] {
  const { mail } = config;
  if (mail.transport === 'resend') return (message) => sendByResend(fetch, mail, message);
  if (mail.transport === 'smtp') {
    return async (message) => (await loadSmtp())(mail.server, mail.from, message);
  }
  if (config.production) log.warn('mail.off', { reason: 'MAIL_TRANSPORT is outbox: nobody gets any mail' });
  return async () => {};
}
