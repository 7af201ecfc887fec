interface CountdownProps {
  readonly seconds: number;
  /** With `{seconds}` or, in minutes and seconds, `{time}` for what is left. */
  readonly text: string;
  /** What is shown without a script. */
  readonly first: string;
  /** Announced at the end. */
  readonly over: string;
}

/** The time left, which a script counts down. */
export function Countdown({ seconds, text, first, over }: CountdownProps) {
  return (
    <>
      <span class="number" role="timer" data-seconds={seconds} data-text={text} data-over={over}>
        {first}
      </span>
      <span role="status" />
    </>
  );
}
