export * from 'playwright-core';
