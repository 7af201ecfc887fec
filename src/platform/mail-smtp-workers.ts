import { connect } from 'cloudflare:sockets';
import { inTime } from '../lib/in-time.ts';
import type { SendBySmtp } from './mail.ts';
import { mailDeadlineMs } from './mail-headers.ts';
import { formatMessage } from './mail-message.ts';
import { submitMail, type Wire } from './smtp-session.ts';

const transports = { implicit: 'on', starttls: 'starttls', none: 'off' } as const;

/**
 * Sends one mail over its own connection. Cloudflare verifies certificates and refuses port 25.
 * @throws Error unless the server accepted the mail
 */
export const sendBySmtp: SendBySmtp = async (server, from, mail) => {
  let socket = connect(
    { hostname: server.host, port: server.port },
    { secureTransport: transports[server.tls], allowHalfOpen: false },
  );
  let reader = socket.readable.getReader();
  let writer = socket.writable.getWriter();
  const wire: Wire = {
    read: async () => (await reader.read()).value ?? null,
    write: (bytes) => writer.write(bytes),
    startTls() {
      reader.releaseLock();
      writer.releaseLock();
      socket = socket.startTls();
      reader = socket.readable.getReader();
      writer = socket.writable.getWriter();
    },
  };
  const message = formatMessage(from, mail, Date.now());
  const sending = socket.opened.then(() => submitMail(wire, server, { from, to: mail.to, message }));
  try {
    await inTime(sending, mailDeadlineMs, 'the mail server');
  } finally {
    await socket.close().catch(() => {});
  }
};
