import { readFileSync } from 'node:fs';

/** The part of Bun's plugin API used here. */
interface Builder {
  onLoad(when: { filter: RegExp }, load: () => { loader: 'ts'; contents: string }): void;
}

declare const Bun: { plugin(plugin: { name: string; setup(build: Builder): void }): void };

const threads = new URL('../../src/platform/scrypt-threads.ts', import.meta.url).pathname;
const entry = new URL('../../src/bun.ts', import.meta.url).pathname;
const support = new URL('./scrypt.ts', import.meta.url).pathname;

// Loaded before the entry. It leaves the service unchanged, except for the cost of passwords, and for the jobs, which first run at once:
// a second later they would change the database in the middle of a test.
Bun.plugin({
  name: 'quick scrypt',
  setup(build) {
    build.onLoad({ filter: /\/src\/platform\/scrypt-threads\.ts$/ }, () => ({
      loader: 'ts',
      contents: `import { createScryptThreads as real } from '${threads}?real';
        import { withoutFullCost } from '${support}';
        export const createScryptThreads = () => withoutFullCost(real());`,
    }));
    build.onLoad({ filter: /\/src\/bun\.ts$/ }, () => ({
      loader: 'ts',
      contents: readFileSync(entry, 'utf8').replace('scheduleAfterMs = 1_000', 'scheduleAfterMs = 0'),
    }));
  },
});
