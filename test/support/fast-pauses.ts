import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/**
 * Imported first by a process: each of the process's pauses, however short, advances its monotonic clock by a second
 * and is reported to the parent process.
 */
const pause = timers.setTimeout;
const elapsed = performance.now.bind(performance);
let pauses = 0;
performance.now = () => elapsed() + pauses * 1_000;
timers.setTimeout = (...given) => {
  pauses += 1;
  process.send?.('pauses');
  return pause(...given);
};
syncBuiltinESMExports();
