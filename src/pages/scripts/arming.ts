/**
 * Ignores an approving click whose press began within 800 ms, or that is the second of a double-click. The time
 * restarts when the window comes to the front, because the click may have been meant for another window.
 */
export const armingScript = `
const guarded = '[value=approved],[value=allow],[value=refund]';
let shownAt = 0;
let pressedAt = 0;
let arming;
function disarm() {
  shownAt = performance.now();
  const mark = (isArmed) => {
    for (const button of document.querySelectorAll(guarded)) button.setAttribute('aria-disabled', String(!isArmed));
  };
  mark(false);
  clearTimeout(arming);
  arming = setTimeout(mark, 800, true);
}
disarm();
addEventListener('focus', disarm);
document.addEventListener('visibilitychange', disarm);
addEventListener('pointerdown', () => { pressedAt = performance.now(); });
addEventListener('click', (event) => {
  const at = event.detail && pressedAt || performance.now();
  pressedAt = 0;
  const early = at - shownAt < 800 || event.detail > 1;
  if (early && event.isTrusted && event.target.closest(guarded)) event.preventDefault();
});
`;
