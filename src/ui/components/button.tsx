interface ButtonProps {
  readonly text: string;
  /** `main` is the main action of a page; `danger` removes something. */
  readonly look?: 'main' | 'danger' | 'danger main' | 'link';
  readonly full?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly label?: string;
  /** The dialog that a script opens instead of sending the form. */
  readonly opens?: string;
  /** A short note beside the text. */
  readonly badge?: string | undefined;
}

export function Button({ text, look, full, describedBy, label, opens, badge, ...rest }: ButtonProps) {
  return (
    <button
      type="submit"
      class={classes(look, full)}
      aria-describedby={describedBy}
      aria-label={label}
      data-opens={opens}
      {...rest}
    >
      {text}
      {badge !== undefined && <span class="badge">{badge}</span>}
    </button>
  );
}

interface LinkButtonProps {
  readonly text: string;
  readonly href: string;
  readonly look?: 'main' | 'danger';
  readonly full?: boolean;
  readonly label?: string;
  readonly opens?: string;
}

/** A link that looks like a button. It changes nothing. */
export function LinkButton({ text, href, look, full, label, opens }: LinkButtonProps) {
  return (
    <a class={`button ${classes(look, full) ?? ''}`.trim()} href={href} aria-label={label} data-opens={opens}>
      {text}
    </a>
  );
}

function classes(look: string | undefined, full: boolean | undefined): string | undefined {
  return [look, full ? 'full' : undefined].filter(Boolean).join(' ') || undefined;
}

/**
 * The button that Enter presses. Browsers choose the first of a form, so forms whose main button comes later begin with
 * this one.
 */
export function DefaultButton({ text }: { text: string }) {
  return (
    <button type="submit" class="unseen" tabindex={-1}>
      {text}
    </button>
  );
}
