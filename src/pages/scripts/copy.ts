/** Copies the text that a button refers to. The button is shown only in browsers that can copy. */
export const copyScript = `
for (const button of document.querySelectorAll('[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    source.select?.();
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = button.dataset.copied;
  });
}
`;
