/**
 * Sends the page's forms with `fetch`, and shows each request with its raw response. After a change it reloads `#state`
 * from the server.
 */
export const welcomeScript = `
const log = document.getElementById('log');
const shownHeaders = ['X-Error-Code', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'];

function add(parent, tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  parent.append(node);
  return node;
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

async function call(method, path) {
  const startedAt = performance.now();
  const answer = await fetch(path, { method });
  const body = await answer.text();
  const entry = document.createElement('li');
  const took = Math.round(performance.now() - startedAt);
  add(entry, 'strong', method + ' ' + path + ' → ' + answer.status + ' ' + answer.statusText);
  add(entry, 'span', ' in ' + took + ' ms').className = 'quiet';
  const headers = shownHeaders.filter((name) => answer.headers.has(name));
  const lines = headers.map((name) => name + ': ' + answer.headers.get(name));
  add(entry, 'pre', [...lines, '', body === '' ? '(no body)' : pretty(body)].join('\\n').trim());
  log.prepend(entry);
  if (method !== 'GET') await renew();
}

function renew() {
  // Not fetch and DOMParser: trusted types let no script turn text into markup, but a request may answer a document.
  const request = new XMLHttpRequest();
  request.open('GET', '/dev/welcome');
  request.responseType = 'document';
  return new Promise((resolve, reject) => {
    request.onload = () => {
      const state = request.response?.getElementById('state');
      if (state) document.getElementById('state').replaceWith(state);
      reveal();
      resolve();
    };
    request.onerror = reject;
    request.send();
  });
}

function reveal() {
  for (const node of document.querySelectorAll('[data-method]')) node.hidden = false;
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  event.preventDefault();
  const method = (form.dataset.method ?? form.getAttribute('method')).toUpperCase();
  call(method, form.getAttribute('action')).catch((error) => add(log, 'li', String(error)));
});
document.getElementById('log-card').hidden = false;
reveal();
`;
