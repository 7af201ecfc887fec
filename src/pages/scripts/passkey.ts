import { passkeyEndpoints } from '../../features/passkey/endpoints.ts';
import { lastWayCookie } from '../../features/sign-in/cookies.ts';

/**
 * The passkey buttons' ceremonies. Only one at a time uses the authenticator: a button first aborts the browser's
 * pending autofill. A cancelled ceremony and a browser without passkeys are ordinary states with separate texts. The
 * `data-` attributes of the element with `data-passkey` configure it.
 */
export const passkeyScript = `
{
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const decode = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const withBytes = (list) => list.map((each) => ({ ...each, id: decode(each.id) }));

function readOptions(options) {
  if (options.user) {
    return PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
      ...options,
      challenge: decode(options.challenge),
      user: { ...options.user, id: decode(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    };
  }
  return PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: decode(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  };
}

function writeAnswer(credential) {
  if (credential.toJSON) return credential.toJSON();
  const { id, type, response } = credential;
  const parts = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'attestationObject']
    .filter((name) => response[name])
    .map((name) => [name, encode(response[name])]);
  const transports = response.getTransports?.();
  return { id, rawId: id, type, response: { ...Object.fromEntries(parts), ...(transports && { transports }) } };
}

// Follows a link, so that the popup's script treats it like one.
function go(address) {
  const link = document.createElement('a');
  link.href = address;
  document.body.append(link);
  link.click();
}

class Refusal extends Error {
  constructor(answer) {
    super(answer.status);
    this.status = answer.status;
    this.code = answer.headers.get('X-Error-Code');
  }
}

async function send(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Refusal(answer);
  return answer.status === 204 ? null : answer.json();
}

// Waits for the previous ceremony to end, so that two presses never start two.
let owner = { abort() {}, result: Promise.resolve() };
function own(ceremony) {
  const before = owner;
  before.abort();
  const control = new AbortController();
  const result = before.result.catch(() => {}).then(() => {
    control.signal.throwIfAborted();
    return ceremony(control.signal);
  });
  owner = { abort: () => control.abort(), result };
  return owner;
}

function stateOf(error) {
  if (error instanceof Refusal) {
    if (error.code === 'passkey_unknown') return 'unknown';
    return { 401: 'refused', 403: 'suspended', 429: 'busy' }[error.status] ?? 'failed';
  }
  return { NotAllowedError: 'cancelled', AbortError: 'cancelled', InvalidStateError: 'exists', SecurityError: 'unsupported',
    NotSupportedError: 'unsupported' }[error.name] ?? 'failed';
}

const ceremonies = {
  async login(root, signal, mediation) {
    const { again, popup, next } = root.dataset;
    const options = await send('${passkeyEndpoints.startPasskeySignIn.path}', again ? { again: true } : {});
    if (again && options.allowCredentials.length === 0) return 'none';
    signal.throwIfAborted();
    const credential = await navigator.credentials.get({ publicKey: readOptions(options), signal, ...mediation });
    const answer = writeAnswer(credential);
    try {
      await send('${passkeyEndpoints.finishPasskeySignIn.path}', { ...answer, ...(popup && { popup }) });
    } catch (error) {
      const known = { rpId: options.rpId, credentialId: answer.id };
      if (error.code === 'passkey_unknown') await PublicKeyCredential.signalUnknownCredential?.(known)?.catch(() => {});
      throw error;
    }
    remember();
    go(next);
  },
  async signUp(root, signal) {
    const options = await send('${passkeyEndpoints.startPasskeySignUp.path}', {});
    signal.throwIfAborted();
    const credential = await navigator.credentials.create({ publicKey: readOptions(options), signal });
    const { claim } = await send('${passkeyEndpoints.finishPasskeySignUp.path}', writeAnswer(credential));
    localStorage.setItem('pid_passkey_unnamed', '1');
    remember();
    go(claim ? root.dataset.claim : root.dataset.next);
  },
  async add(root, signal) {
    const options = await send('${passkeyEndpoints.startPasskeyLink.path}', {});
    signal.throwIfAborted();
    const credential = await navigator.credentials.create({ publicKey: readOptions(options), signal });
    const name = root.querySelector('input')?.value.trim();
    await send('${passkeyEndpoints.finishPasskeyLink.path}', { ...writeAnswer(credential), ...(name && { name }) });
    go(root.dataset.next);
  },
};

// For the sign-in page, which shows the method used last.
function remember() {
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = '${lastWayCookie}=passkey;path=/;max-age=31536000;samesite=lax' + secure;
}

function say(root, state) {
  root.dataset.state = state;
  root.querySelector('[role=status]').textContent = JSON.parse(root.dataset.texts)[state] ?? '';
}

async function run(root, name) {
  stopRenewal();
  say(root, 'waiting');
  const mine = own((signal) => ceremonies[name](root, signal));
  try {
    say(root, (await mine.result) ?? 'waiting');
  } catch (error) {
    const again = document.getElementById('sign-in-again');
    // A newer press has taken over and reports its own outcome.
    if (owner !== mine) return;
    if (error.code === 'not_fresh' && again) {
      again.hidden = false;
      again.scrollIntoView();
      say(root, '');
    } else if (error.code === 'unauthenticated') {
      location.reload();
    } else {
      say(root, stateOf(error));
      autofill();
    }
  }
}

const roots = [...document.querySelectorAll('[data-passkey]')];
const isSupported = typeof PublicKeyCredential === 'function' && navigator.credentials !== undefined;
for (const root of roots) {
  root.hidden = !isSupported && 'optional' in root.dataset;
  if (!isSupported) say(root, 'unsupported');
}
for (const button of document.querySelectorAll('[data-ceremony]')) {
  const root = button.closest('[data-passkey]') ?? roots[0];
  button.hidden = !isSupported;
  button.addEventListener('click', () => run(root, button.dataset.ceremony));
}

// A challenge is valid for five minutes, so a page that stays visible requests a new one before that.
const renewAfter = 240000;
let renewal;
function stopRenewal() {
  clearTimeout(renewal);
  document.removeEventListener('visibilitychange', autofill);
}
async function autofill() {
  stopRenewal();
  const before = owner;
  const root = roots.find(({ dataset }) => dataset.autofill);
  if (!isSupported || !root || !document.querySelector('input[autocomplete~=webauthn]')) return;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  // A button pressed in the meantime keeps the authenticator.
  if (owner !== before) return;
  renewal = setTimeout(() => {
    if (document.visibilityState === 'visible') autofill();
    else document.addEventListener('visibilitychange', autofill, { once: true });
  }, renewAfter);
  try {
    await own((signal) => ceremonies.login(root, signal, { mediation: 'conditional' })).result;
  } catch (error) {
    // The person has not asked for anything yet, so only a rejection is shown.
    if (error instanceof Refusal && error.status !== 429) say(root, stateOf(error));
  }
}
if (document.prerendering) document.addEventListener('prerenderingchange', autofill, { once: true });
else autofill();
}
`;
