import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const sdk = join(import.meta.dirname, '../../sdk');
const policies = ['same-origin', 'same-origin-allow-popups'];

/** Sends the COOP header given in the page's query, to try a sign-in with each policy. */
const coop: Plugin = {
  name: 'coop',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const asked = new URL(request.url ?? '/', 'http://localhost').searchParams.get('coop') ?? '';
      if (policies.includes(asked)) response.setHeader('Cross-Origin-Opener-Policy', asked);
      next();
    });
  },
};

/** Not a package: its dependencies are installed at the root, and the SDK is built from source. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [coop],
  resolve: {
    alias: [
      { find: /^peridot-sdk$/, replacement: join(sdk, 'index.ts') },
      { find: 'peridot-sdk/messages', replacement: join(sdk, 'messages.ts') },
    ],
  },
  build: { target: 'es2022', emptyOutDir: true },
  // examples/shop/server.ts
  server: { strictPort: false, proxy: { '/shop': process.env['SHOP_URL'] ?? 'http://127.0.0.1:3001' } },
});
