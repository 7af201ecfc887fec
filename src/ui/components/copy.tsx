import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';

/** Copies the text of the element with this id; without a script it is hidden. Screen readers hear that it was copied. */
export function CopyButton({ id, text }: { id: string; text: string }) {
  return (
    <button
      type="button"
      hidden
      aria-live="polite"
      data-copies={id}
      data-copied={useTexts(commonTexts).copied}
    >
      {text}
    </button>
  );
}
