import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { countdownScript } from './countdown.ts';

const [handles] = claimEndpoints.checkHandle.path.split(':handle');

/**
 * Checks during typing whether a handle is available, counts down the remaining time, and asks for confirmation in a
 * dialog before claiming. The form works without this script.
 */
export const claimScript = `
${countdownScript}
const $ = (id) => document.getElementById(id);
const [handle, state, sure] = ['handle', 'handle-state', 'sure'].map($);
const say = state.dataset;
const typed = (field) => field.value.trim().toLowerCase().replace(/@pid$/, '');
let asked = '', timer, request;

function show(kind, pid) {
  state.className = kind === 'free' ? 'good' : kind === 'checking' || kind === '' ? 'hint' : 'problem';
  state.textContent = kind === '' ? '' : say[kind].replace('{pid}', pid);
}

async function check() {
  const text = typed(handle);
  if (text === asked) return;
  asked = text;
  request?.abort();
  if (text.length < 3) {
    offer([]);
    return show(text === '' ? '' : 'invalid');
  }
  request = new AbortController();
  show('checking');
  try {
    const answer = await fetch('${handles}' + encodeURIComponent(text), { signal: request.signal });
    // The ticket has expired: the page says so, and leads to a new sign-in.
    if (answer.status === 410) return location.assign(location.href);
    if (!answer.ok) return show('');
    const { pid, available, reason, suggestions } = await answer.json();
    $('handle-problem')?.remove();
    handle.removeAttribute('aria-invalid');
    show(available ? 'free' : reason, pid);
    offer(suggestions);
  } catch (error) {
    if (error.name !== 'AbortError') show('');
  }
}

function offer(handles) {
  const place = $('suggestions');
  // Empty space is kept, or the button below would move as it is clicked.
  if (handles.length > 0) place.hidden = false;
  place.style.visibility = handles.length > 0 ? 'visible' : 'hidden';
  place.querySelector('.row').replaceChildren(...handles.map((free) => {
    const button = document.createElement('button');
    Object.assign(button, { name: 'suggestion', value: free, textContent: free + '@pid', formNoValidate: true });
    button.setAttribute('aria-label', say.suggest.replace('{pid}', free + '@pid'));
    return button;
  }));
}

const [heading, claim, back] = ['h2', '[name=confirmed]', '[type=button]'].map((part) => sure.querySelector(part));
function ask(event) {
  if (!event.target.closest('[data-opens]')) return;
  event.preventDefault();
  if (state.className === 'problem') return handle.focus();
  if (!handle.form.reportValidity()) return;
  const pid = typed(handle) + '@pid';
  heading.textContent = say.sure.replace('{pid}', pid);
  claim.textContent = say.claim.replace('{pid}', pid);
  claim.value = typed(handle);
  sure.showModal();
}

handle.addEventListener('input', () => {
  clearTimeout(timer);
  request?.abort();
  asked = '';
  show('');
  timer = setTimeout(check, 350);
});
// The claim uses the ticket up, so a late check would treat the page as expired and leave it.
handle.form.addEventListener('submit', () => {
  clearTimeout(timer);
  request?.abort();
  next = undefined;
});
handle.form.addEventListener('click', ask);
back.addEventListener('click', () => sure.close());
$('suggestions').addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  event.preventDefault();
  handle.value = button.value;
  $('suggestions').hidden = true;
  check();
  handle.focus();
});
// An operator may give this account its PID meanwhile, which uses up the ticket early: the same sign-in then continues.
const left = document.querySelector('[data-next] [data-seconds]');
let next = left?.parentNode.dataset.next;
const over = Date.now() + 1000 * (left?.dataset.seconds - 5);
async function follow() {
  if (document.hidden || !next || Date.now() > over) return;
  const answer = await fetch('${claimEndpoints.previewClaim.path}').catch(() => null);
  if (answer?.status === 410 && next) location.replace(next);
}
addEventListener('focus', follow);
setInterval(follow, 10000);
// After Back or a reload, browsers restore what was typed before.
if (handle.value !== handle.defaultValue) check();
`;
