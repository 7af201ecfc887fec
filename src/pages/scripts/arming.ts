/**
 * Takes no click for an approval that comes within 800 ms, or as the second of a double click. A window that comes to the front
 * counts as just shown: the click may have been meant for another window.
 */
export const armingScript = `
let shownAt = performance.now();
addEventListener('focus', () => { shownAt = performance.now(); });
addEventListener('click', (event) => {
  const early = performance.now() - shownAt < 800 || event.detail > 1;
  if (early && event.isTrusted && event.target.closest('[value=approved],[value=allow]')) event.preventDefault();
});
`;
