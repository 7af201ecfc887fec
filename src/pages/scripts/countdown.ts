/**
 * Counts down the remaining time and announces its end, using the browser's clock and the seconds sent with the page. A
 * long wait is the time when it ends, in full minutes.
 */
export const countdownScript = `(() => {
const timer = document.querySelector('[data-seconds]');
if (!timer) return;
const { seconds, text, over } = timer.dataset;
const end = Date.now() + 1000 * seconds;
const at = new Date(end + 59999).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'short', hourCycle: 'h23' });
const tick = setInterval(show, 1000);
show();
function show() {
  const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
  const time = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0');
  timer.textContent = left > 0 ? text.replace('{seconds}', left).replace('{time}', time).replace('{at}', at) : '';
  if (left > 0) return;
  clearInterval(tick);
  timer.nextElementSibling.textContent = over;
}
})();
`;
