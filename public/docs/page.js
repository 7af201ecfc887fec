
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
  return [answer.status + ' ' + answer.statusText, ...headers, '', pretty(await answer.text())].join('\n').trim();
}

for (const form of document.querySelectorAll('form[data-method]')) {
  form.parentElement.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('pre');
    output.hidden = false;
    output.textContent = await send(form).catch(String);
  });
}

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

const filter = document.querySelector('#filter');
if (filter) filter.hidden = false;
filter?.querySelector('input').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const item of document.querySelectorAll('[data-find]')) {
    const text = (item.dataset.find + ' ' + item.textContent).toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
    found += item.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll('section')) section.hidden = !section.querySelector('li:not([hidden])');
  filter.querySelector('p').textContent = words.length === 0 ? '' : found + ' found';
});
