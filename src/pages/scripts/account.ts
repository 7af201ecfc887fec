import { copyScript } from './copy.ts';

/**
 * Opens dialogs instead of pages, and makes screen readers announce the page's message. A reload of a page that shows a
 * form's result does not send the form again.
 */
export const accountScript = `${copyScript}
document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-opens]');
  const dialog = opener && document.getElementById(opener.dataset.opens);
  if (!dialog?.showModal) return;
  event.preventDefault();
  dialog.showModal();
});
const toast = document.querySelector('[data-toast] span');
if (toast) {
  const text = toast.textContent;
  toast.textContent = '';
  setTimeout(() => { toast.textContent = text; }, 100);
  const address = new URL(toast.parentNode.dataset.toast || location.href, location.href);
  for (const name of ['done', 'linked']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
}
`;

/** Sends the page's form immediately, unless the browser is only prerendering it. */
export const renewScript = `
const renew = () => document.getElementById('renew').requestSubmit();
if (document.prerendering) document.addEventListener('prerenderingchange', renew, { once: true });
else renew();
`;
