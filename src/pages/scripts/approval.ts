/**
 * Makes screen readers start at the heading, and denies on Escape. No key approves unless the button has the focus.
 * While the balance is too low, the script checks every three seconds whether the money has arrived.
 */
export const approvalScript = `
document.querySelector('h1').focus();
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.repeat) document.querySelector('[value=denied]')?.click();
});
const low = document.querySelector('[data-low]');
async function look() {
  if (document.hidden) return;
  const answer = await fetch(low.href).catch(() => null);
  // The brackets keep the pattern from matching this script itself.
  if (answer?.ok && !/data-[l]ow=/.test(await answer.text())) low.click();
}
if (low) {
  setInterval(look, 3000);
  document.addEventListener('visibilitychange', look);
}
`;
