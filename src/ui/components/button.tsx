import type { Child } from 'hono/jsx';

interface ButtonProps {
  readonly children: Child;
  /** `main` is the one thing to do on a page; `danger` takes something away. */
  readonly look?: 'main' | 'danger' | 'danger main' | 'link';
  readonly full?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly label?: string;
  /** The dialog that it opens instead of sending the form, where scripts run. */
  readonly opens?: string;
}

export function Button({ children, look, full, describedBy, label, opens, ...rest }: ButtonProps) {
  return (
    <button
      type="submit"
      class={classes(look, full)}
      aria-describedby={describedBy}
      aria-label={label}
      data-opens={opens}
      {...rest}
    >
      {children}
    </button>
  );
}

interface LinkButtonProps {
  readonly children: Child;
  readonly href: string;
  readonly look?: 'main' | 'danger';
  readonly full?: boolean;
  readonly label?: string;
  readonly opens?: string;
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function LinkButton({ children, href, look, full, label, opens }: LinkButtonProps) {
  return (
    <a class={`button ${classes(look, full) ?? ''}`.trim()} href={href} aria-label={label} data-opens={opens}>
      {children}
    </a>
  );
}

function classes(look: string | undefined, full: boolean | undefined): string | undefined {
  return [look, full ? 'full' : undefined].filter(Boolean).join(' ') || undefined;
}

/**
 * The button that the Enter key presses. Browsers take the first one of a form, so a form that shows other
 * buttons before its own one begins with this.
 */
export function DefaultButton({ children }: { children: Child }) {
  return (
    <button type="submit" class="unseen" tabindex={-1}>
      {children}
    </button>
  );
}
