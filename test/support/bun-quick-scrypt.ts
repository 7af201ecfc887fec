/** The part of Bun's plugin API used here. */
interface Builder {
  onLoad(when: { filter: RegExp }, load: () => { loader: 'ts'; contents: string }): void;
}

declare const Bun: { plugin(plugin: { name: string; setup(build: Builder): void }): void };

const threads = new URL('../../src/platform/scrypt-threads.ts', import.meta.url).pathname;
const support = new URL('./scrypt.ts', import.meta.url).pathname;

// Loaded before the entry. It leaves the service unchanged, except for the cost of passwords.
Bun.plugin({
  name: 'quick scrypt',
  setup(build) {
    build.onLoad({ filter: /\/src\/platform\/scrypt-threads\.ts$/ }, () => ({
      loader: 'ts',
      contents: `import { createScryptThreads as real } from '${threads}?real';
        import { withoutFullCost } from '${support}';
        export const createScryptThreads = () => withoutFullCost(real());`,
    }));
  },
});
