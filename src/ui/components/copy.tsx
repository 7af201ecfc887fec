import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';

/** Copies the text of the element with this id; without a script it is hidden. */
export function CopyButton({ id, text }: { id: string; text: string }) {
  return (
    <>
      <button type="button" hidden data-copies={id} data-copied={useTexts(commonTexts).copied}>
        {text}
      </button>
      <span role="status" class="good" />
    </>
  );
}
