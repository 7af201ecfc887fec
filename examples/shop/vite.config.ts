import { join } from 'node:path';
import { defineConfig } from 'vite';

const sdk = join(import.meta.dirname, '../../sdk');

/** Not a package: its dependencies are installed at the root, and the SDK is built from source. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [
      { find: /^peridot-sdk$/, replacement: join(sdk, 'index.ts') },
      { find: 'peridot-sdk/messages', replacement: join(sdk, 'messages.ts') },
      { find: 'peridot-sdk/react', replacement: join(sdk, 'react.ts') },
    ],
  },
  // server.ts
  server: { proxy: { '/shop': process.env['SHOP_URL'] ?? 'http://127.0.0.1:3001' } },
});
