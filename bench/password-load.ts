import { type Answer, Connection, getRequest, type Round, summarize, WrongAnswer } from './load.ts';

export const password = 'merpati hijau naik kereta';
export const wrongPassword = 'merpati merah naik kereta';

export type Login = (connection: Connection, email: string, given?: string) => Promise<number>;

export async function loginHere(connection: Connection, email: string, given = password): Promise<number> {
  return (await post(connection, '/v1/auth/email/login', { email, password: given })).status;
}

export async function loginThere(connection: Connection, email: string): Promise<number> {
  return (await post(connection, '/api/auth/sign-in/email', { email, password })).status;
}

export async function signInAtFloor(connection: Connection, email: string): Promise<number> {
  return (await post(connection, '/sign-in', { email })).status;
}

/** Posts JSON as a page on the service's own origin does, which better-auth requires. */
export function post(connection: Connection, path: string, body: unknown, cookie?: string): Promise<Answer> {
  const text = JSON.stringify(body);
  const host = `127.0.0.1:${connection.port}`;
  return connection.exchange(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\n` +
      `${cookie === undefined ? '' : `Cookie: ${cookie}\r\n`}Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}

function people(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `person.${index}@example.com`);
}

/** People with an address and a password at the service: each costs a hash and an email. */
export async function registerHere(port: number, count: number): Promise<string[]> {
  const connection = await Connection.open(port);
  for (const [index, email] of people(count).entries()) {
    const asked = await post(connection, '/v1/auth/email/register', { email, password });
    const mails = await connection.exchange(getRequest(`/dev/mail.json?to=${email}`, ''));
    const code = /"code":"(\d{6})"/.exec(mails.body)?.[1];
    const cookie = cookieOf(asked, 'pid_email');
    const verified = await post(connection, '/v1/auth/email/verify', { email, code }, cookie);
    const ticket = ['pid_claim', 'pid_claim_key'].map((name) => cookieOf(verified, name)).join('; ');
    const handle = `password${String(index).padStart(4, '0')}`;
    const claimed = await post(connection, '/v1/auth/claim', { handle }, ticket);
    if (claimed.status !== 200) throw new WrongAnswer('200 for a claim', claimed);
  }
  connection.close();
  return people(count);
}

function cookieOf({ head }: Answer, name: string): string {
  return new RegExp(`set-cookie: *(${name}=[^;]+)`, 'i').exec(head)?.[1] ?? '';
}

export async function registerThere(port: number, count: number): Promise<string[]> {
  const connection = await Connection.open(port);
  for (const email of people(count)) {
    const made = await post(connection, '/api/auth/sign-up/email', { email, password, name: 'Somebody' });
    if (made.status !== 200) throw new WrongAnswer('200 for a sign-up', made);
  }
  connection.close();
  return people(count);
}

export async function readsAtRate(port: number, cookie: string, lasts: number): Promise<Round> {
  const idle = await Promise.all(Array.from({ length: 16 }, () => Connection.open(port)));
  const all = [...idle];
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < lasts * 300; count += 1) {
    const due = startedAt + (count * 1000) / 300;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    // The longest idle timeout, so that the service closes no connection.
    const connection = idle.shift() ?? (await Connection.open(port));
    if (!all.includes(connection)) all.push(connection);
    const sentAt = performance.now();
    pending.push(
      connection.exchange(getRequest('/v1/auth/session', cookie)).then((answer) => {
        if (answer.status !== 200) throw new WrongAnswer('200', answer);
        latencies.push(performance.now() - sentAt);
        idle.push(connection);
      }),
    );
  }
  await Promise.all(pending);
  for (const connection of all) connection.close();
  return summarize(latencies, performance.now() - startedAt);
}

export type StopLoad = () => Promise<number>;
export type Load = (port: number, emails: string[]) => StopLoad;

/** Twenty people who sign in repeatedly. */
export function twentyAtOnce(port: number, emails: string[]): StopLoad {
  let running = true;
  let done = 0;
  const work = emails.map(async (email) => {
    const connection = await Connection.open(port);
    while (running) {
      const status = await loginHere(connection, email);
      if (status !== 204) throw new Error(`a sign-in answered ${status}`);
      done += 1;
    }
    connection.close();
  });
  return async () => {
    running = false;
    await Promise.all(work);
    return done;
  };
}

/** Twenty simultaneous sign-ins, and twenty more when all of them are done. */
export function twentyInStep(port: number, emails: string[]): StopLoad {
  let running = true;
  let done = 0;
  const work = (async () => {
    const connections = await Promise.all(emails.map(() => Connection.open(port)));
    while (running) {
      const statuses = await Promise.all(
        connections.map((one, index) => loginHere(one, emails[index] ?? '')),
      );
      if (statuses.some((status) => status !== 204)) throw new Error(`sign-ins answered ${statuses}`);
      done += statuses.length;
    }
    for (const connection of connections) connection.close();
  })();
  return async () => {
    running = false;
    await work;
    return done;
  };
}

export function tenASecond(port: number, emails: string[]): StopLoad {
  let done = 0;
  const pending: Promise<void>[] = [];
  const timer = setInterval(() => {
    const email = emails[pending.length % emails.length] ?? '';
    pending.push(
      Connection.open(port).then(async (connection) => {
        const status = await loginHere(connection, email);
        connection.close();
        if (status !== 204) throw new Error(`a sign-in answered ${status}`);
        done += 1;
      }),
    );
  }, 100);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    return done;
  };
}
