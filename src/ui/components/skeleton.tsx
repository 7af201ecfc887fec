import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';

/** Placeholder lines for text that is about to load. */
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
