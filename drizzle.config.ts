export default {
  dialect: 'sqlite',
  schema: ['./src/db/tables.ts', './src/features/*/tables.ts'],
  out: './migrations',
};
