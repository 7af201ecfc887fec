/**
 * Counts down the remaining time and announces its end, using the browser's clock and the seconds sent with the page.
 */
export const countdownScript = `(() => {
const timer = document.querySelector('[data-seconds]');
if (!timer) return;
const { seconds, text, over } = timer.dataset;
const end = Date.now() + 1000 * seconds;
const tick = setInterval(show, 1000);
show();
function show() {
  const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
  const time = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0');
  timer.textContent = left > 0 ? text.replace('{seconds}', left).replace('{time}', time) : '';
  if (left > 0) return;
  clearInterval(tick);
  timer.nextElementSibling.textContent = over;
}
})();
`;
