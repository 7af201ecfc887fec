import { formatAgo, formatDay, formatMoment } from '../format.ts';
import { useView } from '../view.ts';

/** A time in words, `3 days ago` or `4 Jan 2027`, with the exact time as its title. */
export function Moment({ at, as = 'ago' }: { at: string; as?: 'ago' | 'day' }) {
  const { locale, now } = useView();
  return (
    <time datetime={at} title={formatMoment(locale, at)}>
      {as === 'ago' ? formatAgo(locale, at, now) : formatDay(locale, at)}
    </time>
  );
}
