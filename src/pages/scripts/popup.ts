import { popupEndpoints } from '../../features/popup/endpoints.ts';
import { armingScript } from './arming.ts';

const [beforeId, afterId] = popupEndpoints.beatPopup.path.split(':id');

/**
 * The script of every page in a popup. It reports progress to the opener, and reports to the service whatever the
 * opener cannot see. Both rely only on the row in the database, so this script decides nothing. Only one value is
 * secret: the result for an app, which only a page on the app's origin receives.
 *
 * To the opener, at its registered origin only: `{ pid: 1, c, t }`, with `t` one of `ready`, `away` (the window leaves
 * for a provider), `back`, `decided` (with `result`, if there is one) and `closing`. From the opener: `cancel`, which
 * closes the window. The deadline uses the browser's clock, because `deps` does not exist in a page.
 */
const popupScript = `${armingScript}
const page = document.querySelector('[data-popup]');
const c = page.dataset.popup;
const phase = page.dataset.phase;
const address = '${beforeId}' + c + '${afterId}';
const key = 'pid_popup_' + c;
const kept = recall();
const origin = page.dataset.origin || kept.origin;
let leaving = phase === 'done';

function recall() {
  try { return JSON.parse(sessionStorage.getItem(key)) ?? {}; } catch { return {}; }
}

function keep(change) {
  Object.assign(kept, change);
  try { sessionStorage.setItem(key, JSON.stringify(kept)); } catch {}
}

function say(t, result) {
  if (origin && window.opener) window.opener.postMessage({ pid: 1, c, t, result }, origin);
}

function beat(report) {
  navigator.sendBeacon(address, new Blob([JSON.stringify(report)], { type: 'application/json' }));
}

/** The next page belongs to this popup or to a provider, unless this page stays. */
function leave() {
  leaving = true;
  setTimeout(() => { leaving = phase === 'done'; }, 10000);
}

async function wait() {
  for (let turn = 0; turn < 40; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    const answer = await fetch(address, init).catch(() => null);
    if (answer?.ok) {
      leave();
      location.reload();
      return;
    }
  }
  page.querySelector('h1').textContent = page.dataset.title;
  page.querySelector('.lead').textContent = page.dataset.text;
}

function report() {
  if (window.opener) return;
  beat({ openerLost: true, ...(kept.away && kept.hadOpener ? { severed: true } : {}) });
}

/** Counts down while the opener waits, by the browser's clock. The end is a clock time, as it outlives this page. */
function count() {
  const [timer, status, back] = page.querySelector('[data-deadline]').children;
  const left = Math.max(0, Math.ceil((kept.endsAt - Date.now()) / 1000));
  timer.hidden = left === 0;
  timer.textContent = timer.dataset.text.replace('{time}', Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0'));
  const said = left === 0 ? status.dataset.over : left <= 30 ? status.dataset.soon : '';
  if (status.textContent !== said) status.textContent = said;
  back.hidden = left > 0;
  if (left > 0) setTimeout(count, 1000);
}

/** The result goes to the registered origin alone: to the opener, or to an app page that can find the opener. */
function settle() {
  const { result, return: back } = page.dataset;
  if (result && !window.opener) {
    if (back) location.replace(back);
    else page.querySelector('[data-not-taken]').hidden = false;
    return;
  }
  say('decided', result);
  // What was approved is shown for a moment first.
  setTimeout(() => window.close(), page.querySelector('.tick') ? 600 : 0);
}

function start() {
  if (phase === 'wait') return wait();
  if (origin) keep({ origin });
  const { secondsLeft } = page.dataset;
  // The browser's clock may differ from the service's, so the page gives a duration, not an end time.
  if (secondsLeft) keep({ endsAt: Date.now() + 1000 * secondsLeft });
  say(kept.away ? 'back' : 'ready');
  report();
  if (phase === 'done') {
    settle();
    return;
  }
  if (kept.endsAt) count();
  // After a reload, the old page's closed report may arrive last, so this page reports again.
  if (performance.getEntriesByType('navigation')[0]?.type !== 'navigate') setTimeout(() => beat({}), 500);
  setInterval(() => { if (!window.opener) beat({ openerLost: true }); }, 3000);
  if (phase === 'start') page.querySelector('a[data-away]').click();
}

addEventListener('click', (event) => {
  const link = event.target.closest('a[href]');
  if (!link || event.defaultPrevented || event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.target) return;
  leave();
  const { away } = link.dataset;
  if (!away) return;
  keep({ away, hadOpener: Boolean(window.opener) });
  say('away');
  beat({ away, ...(window.opener ? {} : { openerLost: true }) });
});
addEventListener('submit', leave);
addEventListener('message', (event) => {
  const { source, data } = event;
  if (!window.opener || source !== window.opener || event.origin !== origin) return;
  if (data?.pid !== 1 || data.c !== c || data.t !== 'cancel') return;
  leaving = true;
  window.close();
});
addEventListener('pagehide', () => {
  if (leaving) return;
  say('closing');
  beat({ closed: true });
});
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  leave();
  location.reload();
});
start();
`;

/** The popup's script and the page's own, each in a separate scope. */
export function withPopupScript(script?: string): string {
  return [popupScript, script].map((part) => (part === undefined ? '' : `(() => {${part}})();\n`)).join('');
}
