import { answer } from './password-work.ts';

export default { fetch: answer };
