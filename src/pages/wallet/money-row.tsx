import type { Child } from 'hono/jsx';
import { Icon, type IconName } from '../../ui/components/icon.tsx';

interface RowProps {
  readonly icon: IconName;
  /** The party or the kind, worded as on the receipt. */
  readonly title: Child;
  /** The PID or account, then the state or message, each on its own line. */
  readonly details: readonly Child[];
  readonly sum: string;
  /** Colours an amount that came in. */
  readonly isIn?: boolean;
  readonly at: Child;
  /** The page with all facts. */
  readonly href?: string;
  readonly children?: Child;
}

/** The lists of money, whose rows show the facts of a receipt in its order. */
export function MoneyRows({ children }: { children: Child }) {
  return <ul class="moves">{children}</ul>;
}

/** A movement of money: the party, the amount and the time. */
export function MoneyRow({ icon, title, details, sum, isIn = false, at, href, children }: RowProps) {
  const facts = (
    <>
      <span class="initials">
        <Icon name={icon} />
      </span>
      <span>
        <span class="clamp">{title}</span>
        {details.map((detail) => (
          <small>{detail}</small>
        ))}
      </span>
      <span>
        <b class={isIn ? 'number in' : 'number'}>{sum}</b>
        <small>{at}</small>
      </span>
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div class="person">{facts}</div>
      ) : (
        <a class="person" href={href}>
          {facts}
        </a>
      )}
      {children}
    </li>
  );
}
