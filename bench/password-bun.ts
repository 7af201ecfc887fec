import { answer } from './password-work.ts';

// Bun serves the default export of its main file.
export default { hostname: '127.0.0.1', port: Number(process.env['PORT']), idleTimeout: 120, fetch: answer };
