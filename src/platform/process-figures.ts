import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createHistogram, gaugeText } from '../lib/metrics.ts';

const lookEveryMs = 500;

/** Measures the delay of the process's own timers, which is the time that each request waits for the others. */
export function watchProcess(): { text(): string } {
  const lag = createHistogram({
    name: 'peridot_event_loop_lag_seconds',
    help: 'How late a timer was.',
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
  });
  let dueAt = performance.now() + lookEveryMs;
  setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - dueAt) / 1000);
    dueAt = now + lookEveryMs;
  }, lookEveryMs).unref();
  const startedAt = Date.now() / 1000 - process.uptime();
  return {
    text() {
      const { user, system } = process.cpuUsage();
      return (
        lag.text() +
        gaugeText(
          { name: 'process_resident_memory_bytes', help: 'Resident memory.' },
          process.memoryUsage.rss(),
        ) +
        gaugeText(
          { name: 'process_cpu_seconds_total', help: 'CPU time of all threads.', isTotal: true },
          (user + system) / 1e6,
        ) +
        gaugeText({ name: 'process_start_time_seconds', help: 'When the process started.' }, startedAt)
      );
    },
  };
}

/** The sizes of a database file and its log, and the free space on their volume. */
export async function fileFigures(file: string): Promise<string> {
  const sizeOf = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  const { bavail, bsize } = await statfs(dirname(file));
  return (
    gaugeText(
      { name: 'peridot_database_bytes', help: 'The database file and its log.', label: 'part' },
      { file: await sizeOf(file), log: await sizeOf(`${file}-wal`) },
    ) +
    gaugeText(
      { name: 'peridot_database_free_bytes', help: 'The space that its volume has left.' },
      bavail * bsize,
    )
  );
}
