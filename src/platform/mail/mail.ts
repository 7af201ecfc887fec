import type { Sender, SmtpServer } from '../../config/mail-settings.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { Deps, Logger, OutgoingMail } from '../../deps.ts';
import { sendByResend } from './mail-resend.ts';

/** Sends one email over SMTP. */
export type SendBySmtp = (server: SmtpServer, from: Sender, mail: OutgoingMail) => Promise<void>;

interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  readonly fetch: Deps['fetch'];
  /** Absent on Workers, where no library supports SMTP safely (docs/design.md). */
  readonly loadSmtp?: (() => Promise<SendBySmtp>) | undefined;
}

/**
 * The transport set by MAIL_TRANSPORT. `outbox` sends nothing; in development the mailbox shows the emails.
 * @throws ConfigError for `smtp` on Workers
 */
export function createMail({ config, log, fetch, loadSmtp }: Surroundings): Deps['mail'] {
  const { mail } = config;
  if (mail.transport === 'resend') return (message) => sendByResend(fetch, mail, message);
  if (mail.transport === 'smtp') {
    if (!loadSmtp) throw new ConfigError(['MAIL_TRANSPORT must not be smtp on Workers: use resend']);
    return async (message) => (await loadSmtp())(mail.server, mail.from, message);
  }
  if (config.production) log.warn('mail.off', { reason: 'MAIL_TRANSPORT is outbox: nobody gets any mail' });
  return async () => {};
}
