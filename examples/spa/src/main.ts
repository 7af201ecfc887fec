import {
  createClient,
  errorMessage,
  isApiError,
  isPopupError,
  type Result,
  type SessionSnapshot,
} from 'peridot-sdk';
import { messageOf } from 'peridot-sdk/messages';
import { connectPayment } from './payment.ts';

const service = import.meta.env['VITE_PID_URL'] ?? `${location.protocol}//${location.hostname}:8787`;
const pid = createClient({
  baseUrl: service,
  popupBaseUrl: service,
  popup: {
    onBlocked: (retry) => show('The browser blocked the popup.', { name: 'Open it now', act: retry }),
  },
});

const at = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;

// ── errors ────────────────────────────────────────────────────────
function show(text: string, action?: { name: string; act: () => void }): void {
  const banner = at('banner');
  banner.hidden = text === '';
  banner.replaceChildren(text);
  if (action) banner.append(' ', button(action.name, action.act));
}

/** Runs a button's action and shows its error. */
async function run<T>(work: Promise<T | Result<T>>): Promise<void> {
  show('');
  try {
    const answer = await work;
    if (isApiError(answer)) show(messageOf(answer));
  } catch (error) {
    if (isPopupError(error)) log(`${error.name}: ${error.reason}`);
    show(messageOf(error));
  }
}

function button(name: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.textContent = name;
  element.onclick = act;
  return element;
}

// ── the wallet ────────────────────────────────────────────────────
const payment = connectPayment(pid, service, { at, run, log });

// ── the session ────────────────────────────────────────────────────────────
let shownPid: string | undefined;

function render(snapshot: SessionSnapshot): void {
  const { status, session } = snapshot;
  const titles = {
    loading: 'One moment…',
    anonymous: 'You are not signed in',
    claim: 'Choose your PID',
    authenticated: `Hello, ${session?.profile.displayName}`,
    unreachable: session ? `Hello, ${session.profile.displayName}` : 'Nobody knows who you are right now',
  };
  at('who').textContent = titles[status];
  at('who').dataset['status'] = status;
  at('about').textContent = describe(snapshot);
  at('signed-out').hidden = session !== null || status === 'loading';
  at('claim').hidden = status !== 'claim';
  at('signed-in').hidden = session === null;
  at('credentials').hidden = session === null;
  payment.show(session);
  if (session && session.pid !== shownPid) void listCredentials();
  shownPid = session?.pid;
}

function describe(snapshot: SessionSnapshot): string {
  if (snapshot.status === 'unreachable')
    return `The service cannot be reached: ${errorMessage(snapshot.error)}.`;
  if (snapshot.status === 'claim')
    return `You continue as ${snapshot.claim.displayName ?? snapshot.claim.email}.`;
  if (!snapshot.session) return '';
  const { pid: identity, session } = snapshot.session;
  return `${identity}, signed in with ${session.provider} until ${new Date(session.expiresAt).toLocaleDateString()}.`;
}

async function listCredentials(): Promise<void> {
  const credentials = await pid.credentials.list();
  if (isApiError(credentials)) return show(errorMessage(credentials));
  at('list').replaceChildren(
    ...credentials.map(({ id, provider, email }) => {
      const item = document.createElement('li');
      item.append(
        `${provider}${email ? ` · ${email}` : ''}`,
        button('Unlink', () => void run(unlink(id))),
      );
      return item;
    }),
  );
}

async function unlink(id: string): Promise<Result<unknown>> {
  const done = await pid.credentials.unlink(id);
  await listCredentials();
  return done;
}

// ── the buttons ──────────────────────────────────────────────────── A popup must open within the click, so nothing is
// awaited before.
at('popup').onclick = () => void run(pid.auth.loginWithPopup());
at('redirect').onclick = () =>
  void run(pid.auth.loginWithRedirect({ returnTo: location.search ? `/${location.search}` : '/' }));
at('read').onclick = () => void run(pid.auth.getSession({ fresh: true }));
at('renew').onclick = () => void run(pid.auth.refresh());
at('logout').onclick = () => void run(pid.auth.logout());
for (const element of document.querySelectorAll<HTMLButtonElement>('[data-link]')) {
  element.onclick = () => void run(link(element.dataset['link'] ?? ''));
}

function link(provider: string): Promise<void> {
  return pid.credentials.linkWithPopup(provider).then(listCredentials);
}

const claim = at<HTMLFormElement>('claim');
const handle = claim.elements.namedItem('handle') as HTMLInputElement;
let checking = new AbortController();

handle.oninput = async () => {
  checking.abort();
  checking = new AbortController();
  const { signal } = checking;
  const check = await pid.auth.claim.check(handle.value || '-', { signal });
  if (signal.aborted) return;
  if (isApiError(check)) at('check').textContent = errorMessage(check);
  else if (check.available) at('check').textContent = `${check.pid} is free.`;
  else at('check').textContent = `That one is ${check.reason}. ${check.suggestions.join(', ')}`;
};
claim.onsubmit = (event) => {
  event.preventDefault();
  void run(pid.auth.claim.submit({ handle: handle.value }));
};

// ── the log ──────────────────────────────────────────────────────────
function log(text: string): void {
  const item = document.createElement('li');
  item.textContent = `${new Date().toLocaleTimeString()} ${text}`;
  at('log').prepend(item);
}

pid.on('signed_in', (session) => log(`signed in as ${session.pid}`));
pid.on('signed_out', ({ reason }) => log(`signed out: ${reason}`));
pid.on('refreshed', ({ by }) => log(`cookies renewed by ${by === 'this_tab' ? 'this tab' : 'another one'}`));
pid.on('claim_required', () => log('a PID has to be chosen'));
pid.on('popup', ({ phase }) => log(`popup ${phase}`));

// The dev server sends the COOP header given in the query.
const coop = at<HTMLSelectElement>('coop');
coop.value = new URLSearchParams(location.search).get('coop') ?? '';
coop.onchange = () => location.assign(coop.value ? `/?coop=${coop.value}` : '/');

const { returnTo } = pid.auth.handleReturn();
if (returnTo && returnTo !== '/') history.replaceState(null, '', returnTo);
pid.subscribe(render);
