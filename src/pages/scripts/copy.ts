/** Copies the text that a button refers to. Only browsers that can copy show the button. */
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
