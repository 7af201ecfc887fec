import { commonTexts } from '../messages.ts';
import { useTexts } from '../view.ts';

/** Progress through several pages. */
export function Steps({ steps, current }: { steps: readonly string[]; current: number }) {
  const texts = useTexts(commonTexts);
  return (
    <ol class="steps" aria-label={texts.inAFewSteps}>
      {steps.map((step, index) => (
        <li
          class={index < current ? 'done' : undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          {step}
          {index < current && <span class="unseen">{` (${texts.done})`}</span>}
        </li>
      ))}
    </ol>
  );
}
