import { expect, it } from 'vitest';
import { createDevClock } from '../../src/platform/dev-clock.ts';

it('the development clock shows real time until it is advanced and then runs from there', () => {
  let real = 1_000;
  const clock = createDevClock(() => real);
  expect([clock.now(), clock.offset()]).toEqual([1_000, 0]);
  clock.advance(500);
  clock.advance(60_000);
  real += 7;
  expect([clock.now(), clock.offset()]).toEqual([61_507, 60_500]);
});
