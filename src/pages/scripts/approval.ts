/** Starts reading the page at its heading, and denies on Escape. No key approves unless the button has the focus. */
export const approvalScript = `
document.querySelector('h1').focus();
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.repeat) document.querySelector('[value=denied]')?.click();
});
`;
