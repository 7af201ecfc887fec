/** Counts down the seconds of a wait and announces its end, by the browser's clock. */
export const countdownScript = `
const timer = document.querySelector('[data-seconds]');
if (timer) {
  const end = Date.now() + 1000 * Number(timer.dataset.seconds);
  const { text, over } = timer.dataset;
  const tick = setInterval(show, 1000);
  function show() {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    timer.textContent = left > 0 ? text.replace('{seconds}', left) : '';
    if (left > 0) return;
    clearInterval(tick);
    document.getElementById('over').textContent = over;
  }
}
`;
