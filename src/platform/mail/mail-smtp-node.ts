import { createTransport } from 'nodemailer';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { SendBySmtp } from './mail.ts';
import { mailDeadlineMs, mailHeaders, messageIdOf } from './mail-headers.ts';

/**
 * Sends one email over its own connection, with verified certificates. Only a server on this machine may be used
 * without TLS.
 * @throws Error unless the server accepted the email
 */
export const sendBySmtp: SendBySmtp = async (server, from, mail) => {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    ...(server.login ? { auth: { user: server.login.user, pass: server.login.password } } : {}),
    connectionTimeout: mailDeadlineMs,
    greetingTimeout: mailDeadlineMs,
    socketTimeout: mailDeadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sending = transport.sendMail({
    from: { name: from.name, address: from.address },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: messageIdOf(mail.id, from),
    headers: mailHeaders,
  });
  try {
    await withTimeout(sending, mailDeadlineMs, 'the mail server');
  } finally {
    transport.close();
  }
};
