import { answer } from './signing-work.ts';

// Bun serves the default export of its main file.
export default { hostname: '127.0.0.1', port: Number(process.env['PORT']), fetch: answer };
