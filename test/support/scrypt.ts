export { scrypt } from '../../src/platform/scrypt.ts';
