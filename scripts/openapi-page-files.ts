/** The rules that the API's pages add to the stylesheet of every page. */
export const ownStyle = `
#api{max-width:72rem;padding-top:1.5rem}
h2{margin-top:2.25rem}
h3{font-size:var(--t2);margin:1.1rem 0 .35rem}
.card>:is(h2,h3):first-child,article h2{margin-top:0}
.card{scroll-margin-top:1rem;min-width:0}
article>div{min-width:0}
.operations{list-style:none;padding:0}
.operations li+li{margin-top:var(--s2)}
.operations small{display:block;color:var(--quiet);font-family:var(--mono)}
#filter{max-width:26rem;margin-top:var(--s5)}
.beside{display:flex;flex-direction:column}
nav{order:1;margin-top:2.25rem;font-size:var(--t2)}
nav ul{list-style:none;padding:0;margin:0}
nav h2{font-size:var(--t2);margin:1rem 0 .25rem}
nav li{padding:.15rem 0}
nav ul ul{padding-left:.75rem}
nav a:not(:hover){text-decoration:none}
nav [aria-current]{font-weight:650;color:var(--text)}
.snippet{position:relative}
.snippet .copy{position:absolute;top:.35rem;right:.35rem;min-height:0;padding:.15rem .6rem;font-size:var(--t1)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:var(--t2)}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line)}
pre{margin:.35rem 0 .75rem;padding:.6rem .75rem;border-radius:var(--r1);background:var(--page);white-space:pre-wrap}
td:not(:first-child){overflow-wrap:anywhere}
pre[tabindex]{max-height:24rem;overflow:auto}
.snippet pre{padding-right:4.5rem}
textarea{min-height:6rem;font:var(--t1)/1.5 var(--mono)}
form .field{margin:.6rem 0}
@media(min-width:64rem){
#api.beside{max-width:96rem;display:grid;grid-template-columns:13rem minmax(0,1fr);gap:0 2rem;align-items:start}
nav{order:0;margin:0;position:sticky;top:0;max-height:100vh;overflow-y:auto;padding-bottom:2rem}
article:has(>.calls){display:grid;grid-template-columns:minmax(0,1fr) minmax(0,25rem);gap:0 2rem}
.calls>h3:first-child{margin-top:0}
}
`;

/** Lets the pages' forms send their requests, and shows each response unchanged. */
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
  const words = target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const item of document.querySelectorAll('[data-find]')) {
    const text = (item.dataset.find + ' ' + item.textContent).toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
    found += item.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll('section')) section.hidden = !section.querySelector('li:not([hidden])');
  filter.querySelector('p').textContent = words.length === 0 ? '' : found + ' found';
});
`;
