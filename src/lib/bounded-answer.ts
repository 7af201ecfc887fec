/**
 * The text of an answer from outside. It is measured as it comes, whatever its headers say: an answer without an end
 * would fill the memory of the process.
 * @returns null when it is longer
 */
export async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
