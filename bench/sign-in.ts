import { type Answer, type Connection, getRequest, postRequest, WrongAnswer } from './load.ts';

/** One browser's cookies: names and values, without paths. */
export type CookieJar = Map<string, string>;

/** A signed-in person: the session's tokens, and the exact text that the session read returns. */
export interface LiveSession {
  accessToken: string;
  refreshToken: string;
  /** All cookies of the person: from a browser, an access token is valid only with its session's key. */
  cookies: string;
  body: string;
}

/** Creates `count` new identities through the sandbox provider and returns their sessions. */
export async function signInPeople(connection: Connection, count: number): Promise<LiveSession[]> {
  const sessions: LiveSession[] = [];
  while (sessions.length < count) {
    const jar = await signIn(connection, newPerson());
    const answer = await connection.exchange(getRequest('/v1/auth/session', cookieHeader(jar)));
    if (answer.status !== 200) throw new WrongAnswer('200 for a session just made', answer);
    sessions.push({
      accessToken: requireCookie(jar, 'pid_access', answer),
      refreshToken: requireCookie(jar, 'pid_refresh', answer),
      cookies: cookieHeader(jar),
      body: answer.body,
    });
  }
  return sessions;
}

/** A complete sign-in at the sandbox provider, with the claim of a handle if the person is new. */
export async function signIn(connection: Connection, person: string): Promise<CookieJar> {
  const jar = await goThroughProvider(connection, person);
  if (jar.has('pid_claim')) await claim(connection, jar, person);
  return jar;
}

/** The part of a sign-in up to the callback: with a session, or with a ticket for a new person. */
export async function goThroughProvider(connection: Connection, person: string): Promise<CookieJar> {
  const jar: CookieJar = new Map();
  const start = await navigate(connection, jar, '/v1/auth/idp');
  const consentPath = redirectPath(start);
  const fields = new URLSearchParams({ name: person, email: `${person}@example.com` });
  const consented = await connection.exchange(
    postRequest(consentPath, cookieHeader(jar), 'application/x-www-form-urlencoded', fields.toString()),
  );
  keepCookies(jar, consented.head);
  const landed = await navigate(connection, jar, redirectPath(consented));
  redirectPath(landed);
  if (!jar.has('pid_claim') && !jar.has('pid_access')) throw new WrongAnswer('a ticket or a session', landed);
  return jar;
}

/** Exchanges the jar's ticket for an identity; the person's name becomes the handle. */
export async function claim(connection: Connection, jar: CookieJar, person: string): Promise<void> {
  const answer = await connection.exchange(
    postRequest(
      '/v1/auth/claim',
      cookieHeader(jar),
      'application/json',
      JSON.stringify({ handle: person, displayName: person }),
    ),
  );
  keepCookies(jar, answer.head);
  if (answer.status !== 200 || !answer.body.includes(`"${person}@pid"`) || !jar.has('pid_access')) {
    throw new WrongAnswer(`200 with ${person}@pid and a session`, answer);
  }
}

let people = 0;

export function newPerson(): string {
  people += 1;
  return `bench${String(people).padStart(7, '0')}`;
}

/** The value that a response sets for a cookie; an empty value, which deletes the cookie, is ignored. */
export function setCookieValue(head: string, name: 'pid_access' | 'pid_refresh'): string | undefined {
  return setCookiePatterns[name].exec(head)?.[1];
}

const setCookiePatterns = {
  pid_access: /\r\nset-cookie: *pid_access=([^;\r]+)/i,
  pid_refresh: /\r\nset-cookie: *pid_refresh=([^;\r]+)/i,
};

async function navigate(connection: Connection, jar: CookieJar, path: string): Promise<Answer> {
  const answer = await connection.exchange(getRequest(path, cookieHeader(jar)));
  keepCookies(jar, answer.head);
  return answer;
}

function redirectPath(answer: Answer): string {
  const location = /\r\nlocation: *([^\r]+)/i.exec(answer.head)?.[1];
  if (location === undefined || ![302, 303].includes(answer.status))
    throw new WrongAnswer('a redirect', answer);
  const url = new URL(location, 'http://127.0.0.1');
  return url.pathname + url.search;
}

function keepCookies(jar: CookieJar, head: string): void {
  for (const [, name = '', value = '', attributes = ''] of head.matchAll(
    /\r\nset-cookie: *([^=\s]+)=([^;\r]*)([^\r]*)/gi,
  )) {
    const deletes = value === '' || /max-age=0/i.test(attributes);
    if (!deletes) jar.set(name, value);
    // A deletion with a domain applies to the cookie's other scope, which this jar never contains.
    else if (!/domain=/i.test(attributes)) jar.delete(name);
  }
}

function cookieHeader(jar: CookieJar): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

function requireCookie(jar: CookieJar, name: string, answer: Answer): string {
  const value = jar.get(name);
  if (value === undefined) throw new WrongAnswer(`the cookie ${name}`, answer);
  return value;
}
