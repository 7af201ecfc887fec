import { answer } from './password-work.ts';

// Bun serves the default export of the file it is started with.
export default { hostname: '127.0.0.1', port: Number(process.env['PORT']), idleTimeout: 120, fetch: answer };
