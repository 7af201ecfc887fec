import type { Child } from 'hono/jsx';
import { withoutLinks } from '../../lib/display-name.ts';
import { formatAgo, formatDay, formatMoment, formatTime } from '../format.ts';
import { commonTexts } from '../messages.ts';
import { useTexts, useView } from '../view.ts';

/** Text whose only `{placeholder}` is replaced with markup, such as a time. */
export function Filled({ text, children }: { text: string; children: Child }) {
  const [before = '', after = ''] = text.split(/\{\w+\}/);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}

interface ForeignProps {
  readonly text: string;
  /** Shown if nothing of the text is left. */
  readonly usual?: string;
}

/** A name or message that somebody else chose: isolated from the surrounding text, and nothing in it looks like an address. */
export function Foreign({ text, usual = '' }: ForeignProps) {
  return <bdi>{withoutLinks(text) || usual}</bdi>;
}

interface MomentProps {
  readonly at: string;
  readonly as?: 'ago' | 'day' | 'time' | 'moment' | 'both';
  /** The surrounding text, with a placeholder. */
  readonly text?: string;
}

/** A time: `3 days ago`, `4 Jan 2027`, `14:05`, in full, or as the first and the last; the exact time is its title. */
export function Moment({ at, as = 'ago', text = '{at}' }: MomentProps) {
  const view = useView();
  const exact = formatMoment(view, at);
  return (
    <Filled text={text}>
      <time datetime={at} title={as === 'moment' ? undefined : exact}>
        {as === 'ago' && formatAgo(view.locale, at, view.now)}
        {as === 'day' && formatDay(view, at)}
        {as === 'time' && formatTime(view, at)}
        {as === 'moment' && exact}
        {as === 'both' && `${formatAgo(view.locale, at, view.now)} (${exact})`}
      </time>
    </Filled>
  );
}

interface CountdownProps {
  readonly seconds: number;
  /** With `{seconds}`, or `{time}` in minutes and seconds, for the remaining time, or `{at}` for its end. */
  readonly text: string;
  /** The text without a script. */
  readonly first: string;
  /** Announced at the end. */
  readonly over: string;
}

/** The remaining time, which a script counts down. */
export function Countdown({ seconds, text, first, over }: CountdownProps) {
  return (
    <>
      <span
        class="number"
        role="timer"
        aria-label={useTexts(commonTexts).timeLeft}
        data-seconds={seconds}
        data-text={text}
        data-over={over}
      >
        {first}
      </span>
      <span role="status" />
    </>
  );
}

interface PersonProps {
  readonly name: string;
  readonly detail: string;
  readonly id?: string;
  /** The logo's path. */
  readonly logo?: string | null;
}

/**
 * A person or an app as a disc with initials, or its stored logo, next to two lines of text. No picture is fetched from elsewhere.
 * @param id of the second line
 */
export function Person({ name, detail, id, logo = null }: PersonProps) {
  return (
    <>
      {logo === null ? (
        <Initials name={name} />
      ) : (
        <img class="logo" src={logo} alt="" width={44} height={44} />
      )}
      <span>
        {name}
        <small id={id}>{detail}</small>
      </span>
    </>
  );
}

/** Represents a person or an app. */
export function Initials({ name }: { name: string }) {
  return (
    <span class="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0]);
  return letters.join('').toLocaleUpperCase() || '?';
}
