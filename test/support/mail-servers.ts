import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { canonicalEmail } from '../../src/lib/email.ts';
import type { MailFault, MailServers, TakenMail } from './mail-driver.ts';
import { parseMessage } from './mime.ts';

export const smtpLogin = { user: 'peridot@relay', password: 'p:ss/w@rd' };

interface State {
  readonly faults: Map<string, MailFault[]>;
  readonly taken: TakenMail[];
}

/** Starts a server that implements Resend's API and a real SMTP server, on free ports of this machine. */
export async function startMailServers(): Promise<MailServers & { stop(): Promise<void> }> {
  const state: State = { faults: new Map(), taken: [] };
  const http = createServer((request, response) => void answer(state, request, response));
  const smtp = createSmtpServer({ hideSTARTTLS: true, allowInsecureAuth: true }, state);
  const login = `${encodeURIComponent(smtpLogin.user)}:${encodeURIComponent(smtpLogin.password)}`;
  return {
    resend: `http://127.0.0.1:${await listen(http)}`,
    smtp: `smtp://${login}@127.0.0.1:${await listen(smtp.server)}`,
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await closeSmtp(smtp);
    },
  };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export function closeSmtp(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const url = new URL(request.url ?? '/', 'http://localhost');
  const send = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (url.pathname === '/control/faults') {
    const { to, faults } = JSON.parse(body) as { to: string; faults: MailFault[] };
    state.faults.set(to, faults);
    return send(200, {});
  }
  if (url.pathname === '/control/taken') {
    return send(
      200,
      state.taken.filter(({ to }) => to === url.searchParams.get('to')),
    );
  }
  const { authorization = '', 'user-agent': agent = '', 'idempotency-key': key = '' } = request.headers;
  if (url.pathname !== '/emails' || request.method !== 'POST') return send(404, { name: 'not_found' });
  if (authorization !== 'Bearer re_test_key') return send(401, { name: 'missing_api_key' });
  if (agent === '') return send(403, { name: 'no_user_agent' });
  const mail = JSON.parse(body) as Omit<TakenMail, 'to'> & { to: string[] };
  const to = mail.to[0] ?? '';
  const fault = state.faults.get(to)?.shift();
  if (typeof fault === 'number') {
    // Like the real service, it quotes its input.
    return send(fault, { name: 'application_error', message: `cannot send to ${to}: ${mail.text}` });
  }
  if (fault === 'drop') return void request.socket.destroy();
  const headers = { ...mail.headers, 'Idempotency-Key': String(key) };
  // A repeated key gets the same response as the first time, and nothing is sent again.
  if (!state.taken.some(({ headers: seen }) => seen['Idempotency-Key'] === key)) {
    state.taken.push({ ...mail, to, headers, via: 'resend', raw: '', user: null, secure: false });
  }
  if (fault === 'drop after') return void request.socket.destroy();
  send(200, { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' });
}

/** The server shows internationalised domains in Unicode, however they were sent. */
function asSent(address: string): string {
  return canonicalEmail(address) ?? address;
}

/** An SMTP server that accepts email from clients that log in as `smtpLogin`, and stores it. */
export function createSmtpServer(
  options: SMTPServerOptions & TlsOptions,
  state: State = { faults: new Map(), taken: [] },
): SMTPServer & { taken: TakenMail[] } {
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === smtpLogin.user && password === smtpLogin.password;
      if (isKnown) callback(null, { user: username });
      else callback(new Error('Authentication failed'));
    },
    onRcptTo({ address }, _session, callback) {
      const fault = state.faults.get(address)?.shift();
      if (fault === undefined) return callback();
      const problem = Object.assign(new Error(`<${address}>: no such user`), {
        responseCode: typeof fault === 'number' ? fault : 421,
      });
      callback(problem);
    },
    onData(stream, session, callback) {
      const chunks: Uint8Array[] = [];
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('latin1');
        const from = session.envelope.mailFrom;
        state.taken.push({
          ...parseMessage(raw),
          via: 'smtp',
          from: from ? asSent(from.address) : '',
          to: session.envelope.rcptTo.map(({ address }) => asSent(address)).join(),
          raw,
          user: session.user ?? null,
          secure: session.secure,
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  return Object.assign(server, { taken: state.taken });
}
