/**
 * Prints the receipt, or passes it to another app on the device. Browsers that cannot share keep that button hidden.
 */
export const receiptScript = `
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
for (const button of document.querySelectorAll('[data-share]')) {
  button.hidden = !navigator.share;
  button.addEventListener('click', () => navigator.share({ text: button.dataset.share }).catch(() => {}));
}
`;
