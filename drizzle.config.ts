import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/db/tables.ts', './src/features/*/tables.ts'],
  out: './migrations',
});
