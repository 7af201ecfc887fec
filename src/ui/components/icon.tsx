/** Strokes on a grid of 20. */
const shapes = {
  alert: 'M10 3 2.5 16.5h15zM10 8.2v4M10 14.4v.1',
  info: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM10 9.2v4.3M10 6.5v.1',
  check: 'M4 10.6 8.2 14.8 16.4 5.6',
  mail: 'M2.5 4.5h15v11h-15zM2.8 5l7.2 6 7.2-6',
  key: 'M7 9.2a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM9.6 10.4 16.5 3.5M13.2 6.8l2.6 2.6',
  shield: 'M10 2.5 16.5 5v4.6c0 3.8-2.6 6.4-6.5 7.9-3.9-1.5-6.5-4.1-6.5-7.9V5z',
  laptop: 'M4.5 4h11v8.5h-11zM2 15.5h16',
  phone: 'M6.2 2.5h7.6v15H6.2zM9.3 14.8h1.4',
  lock: 'M4.5 9h11v8h-11zM7 9V6.2a3 3 0 0 1 6 0V9',
} as const;

export type IconName = keyof typeof shapes;

/** Hidden from screen readers: the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
