/** Disables the button for a minute by the browser's clock, because email takes time to arrive. */
export const resendScript = `
const button = document.querySelector('[data-wait]');
if (button) {
  const text = button.textContent;
  const end = Date.now() + 1000 * Number(button.dataset.wait);
  const show = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    button.disabled = left > 0;
    button.textContent = left > 0 ? button.dataset.text.replace('{seconds}', left) : text;
    if (left > 0) setTimeout(show, 500);
  };
  show();
}
`;
