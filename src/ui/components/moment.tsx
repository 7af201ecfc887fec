import { formatAgo, formatDay, formatMoment } from '../format.ts';
import { useView } from '../view.ts';
import { Filled } from './filled.tsx';

interface MomentProps {
  readonly at: string;
  readonly as?: 'ago' | 'day';
  /** The text around it, with a placeholder. */
  readonly text?: string;
}

/** A time in words, `3 days ago` or `4 Jan 2027`, with the exact time as its title. */
export function Moment({ at, as = 'ago', text = '{at}' }: MomentProps) {
  const { locale, now } = useView();
  return (
    <Filled text={text}>
      <time datetime={at} title={formatMoment(locale, at)}>
        {as === 'ago' ? formatAgo(locale, at, now) : formatDay(locale, at)}
      </time>
    </Filled>
  );
}
