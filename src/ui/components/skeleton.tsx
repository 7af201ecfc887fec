import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';

/** Stands where text will be in a moment. */
export function Skeleton({ lines }: { lines: number }) {
  const texts = useTexts(commonTexts);
  return (
    <div class="skeleton">
      <span class="unseen">{texts.loading}</span>
      {Array.from({ length: lines }, () => (
        <i aria-hidden="true" />
      ))}
    </div>
  );
}
