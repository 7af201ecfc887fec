/**
 * The form behaviour on every page with a script. Each form is sent only once and then looks busy until the next page
 * loads, and a link to a provider behaves alike. Passwords can be revealed, and their length is counted during typing.
 * A complete code is sent immediately. An entered address is passed on to the other sign-in pages.
 */
export const formScript = `(() => {
const isBusy = (node) => node.getAttribute('aria-busy') === 'true';
// Ends by itself, because a page that never loads must not lock the form.
function busy(...nodes) {
  for (const node of nodes) node.setAttribute('aria-busy', 'true');
  setTimeout(() => idle(nodes), 10000);
}
function idle(nodes) {
  for (const node of nodes) node.removeAttribute('aria-busy');
}
addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (form.method !== 'post') return;
  if (isBusy(form)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  busy(form, ...(submitter ? [submitter] : form.querySelectorAll('.main')));
  // Otherwise browsers would suggest the typed text to the next person.
  for (const field of form.querySelectorAll('.revealed [type=text]')) field.type = 'password';
}, true);
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]');
  if (!link || event.defaultPrevented || event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.dataset.away) return isBusy(link) ? event.preventDefault() : busy(link);
  const email = document.getElementById('email');
  if (!email?.value || link.origin !== location.origin) return;
  if (!link.hreflang && !/^.(signin|popup.login|v1.auth.email.)/.test(link.pathname)) return;
  const address = new URL(link.href);
  address.searchParams.set('email', email.value);
  link.href = address.href;
});
addEventListener('pageshow', (event) => {
  if (event.persisted) idle(document.querySelectorAll('[aria-busy]'));
});
for (const button of document.querySelectorAll('[data-reveal]')) {
  const field = document.getElementById(button.dataset.reveal);
  button.hidden = false;
  button.addEventListener('click', () => {
    const isShown = field.type === 'text';
    field.type = isShown ? 'password' : 'text';
    button.firstChild.textContent = button.dataset[isShown ? 'show' : 'hide'];
  });
}
for (const counter of document.querySelectorAll('[data-count-of]')) {
  const { countOf, least, text } = counter.dataset;
  const field = document.getElementById(countOf);
  field.addEventListener('input', () => {
    const count = [...field.value].length;
    counter.hidden = count === 0;
    counter.className = (count < least ? 'hint' : 'good') + ' number';
    counter.textContent = text.replace('{count}', count).replace('{least}', least);
  });
}
for (const field of document.querySelectorAll('[data-digits]')) {
  field.addEventListener('input', (event) => {
    const isComplete = field.value.replaceAll(' ', '').length === Number(field.dataset.digits) && field.checkValidity();
    if (isComplete && !event.inputType?.startsWith('delete')) field.form.requestSubmit();
  });
}
})();
`;
