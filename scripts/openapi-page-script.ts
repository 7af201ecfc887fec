/** Lets the page's forms send their requests, and shows each answer as it came. */
export const pageScript = `
const shown = ['X-Error-Code', 'Retry-After', 'RateLimit-Policy', 'RateLimit', 'X-Request-Id', 'ETag'];

function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('input')) {
    if (input.dataset.in === 'path') path = path.replace('{' + input.name + '}', encodeURIComponent(input.value));
    else if (input.value !== '') query.set(input.name, input.value);
  }
  return query.size > 0 ? path + '?' + query : path;
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

async function send(form) {
  const body = form.querySelector('textarea')?.value.trim();
  const init = { method: form.dataset.method, redirect: 'manual' };
  if (body) Object.assign(init, { body, headers: { 'Content-Type': 'application/json' } });
  const answer = await fetch(addressOf(form), init);
  const headers = shown.filter((name) => answer.headers.has(name)).map((name) => name + ': ' + answer.headers.get(name));
  return [answer.status + ' ' + answer.statusText, ...headers, '', pretty(await answer.text())].join('\\n').trim();
}

for (const form of document.querySelectorAll('form[data-method]')) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('pre');
    output.hidden = false;
    output.textContent = await send(form).catch(String);
  });
}
`;
