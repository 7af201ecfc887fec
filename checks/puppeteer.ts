export { type BrowserContext, default, type Page } from 'puppeteer-core';
