import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export type { AxeResults, RunOptions } from 'axe-core';

/** The script that checks the accessibility of the page that loads it. */
export const axeFile = require.resolve('axe-core/axe.min.js');

/** The Nu Html Checker. */
export const htmlChecker = String(require('vnu-jar'));
