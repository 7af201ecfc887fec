import { createTransport } from 'nodemailer';
import type { SendBySmtp } from './mail.ts';
import { mailHeaders, messageIdOf } from './mail-headers.ts';

const deadlineMs = 10_000;

/**
 * Sends one mail over a connection of its own. Certificates are verified; unless the server is on this machine, nothing is said
 * to it before the connection is TLS.
 * @throws Error unless the server took the mail
 */
export const sendBySmtp: SendBySmtp = async (server, from, mail) => {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    ...(server.login ? { auth: { user: server.login.user, pass: server.login.password } } : {}),
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server took too long')), deadlineMs);
  });
  try {
    await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
    sending.catch(() => {});
    transport.close();
  }
};
