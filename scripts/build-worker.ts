/**
 * `npm run build:worker`: the Worker as wrangler runs and deploys it, in `dist/`. wrangler runs this automatically
 * (`[build]` in wrangler.toml). With `--production` it is minified and contains no sandbox.
 *
 * wrangler's own bundler puts a dynamic import into the single file it writes. Here each import becomes a separate
 * module, which workerd compiles on first import, so code is loaded on first use without further effort.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { listFiles } from '../src/platform/list-files.ts';

const production = process.argv.includes('--production');
const root = join(import.meta.dirname, '..');
const entry = production ? 'worker' : 'worker-dev';
const folder = join(root, 'dist', entry);

/** The module `peridot:public`: the files in `public/`, which the development entry serves. */
const publicFiles: Plugin = {
  name: 'public files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^peridot:public$/ }, () => ({ path: 'public', namespace: 'peridot' }));
    onLoad({ filter: /^public$/, namespace: 'peridot' }, () => {
      const names = listFiles(join(root, 'public'));
      const files = names.map((name) => [name, readFileSync(join(root, 'public', name), 'base64')]);
      return { contents: JSON.stringify(Object.fromEntries(files)), loader: 'json' };
    });
  },
};

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(root, 'src', `${entry}.ts`)],
  outdir: folder,
  // wrangler treats every .mjs next to the entry as a module of the Worker.
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2024',
  platform: 'browser',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'cloudflare:*'],
  plugins: [publicFiles],
  define: { PERIDOT_SANDBOX: String(!production), 'process.env.NODE_ENV': '"production"' },
  minify: production,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
});

// Writes only changed files, because a running `wrangler dev` restarts when a file changes.
mkdirSync(folder, { recursive: true });
const kept = new Set(outputFiles.map(({ path }) => basename(path)));
for (const { path, contents } of outputFiles) {
  if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
}
// Another build may have removed the file already.
for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
writeFileSync(join(dirname(folder), `${entry}.meta.json`), JSON.stringify(metafile));
