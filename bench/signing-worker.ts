import { answer } from './signing-work.ts';

export default { fetch: answer };
