import type { Page } from '../../checks/playwright.ts';
import puppeteer, {
  type BrowserContext as FirefoxContext,
  type Page as FirefoxPage,
} from '../../checks/puppeteer.ts';
import { launchWholeChromium } from './chromium.ts';
import { startWebKit } from './webkit.ts';

/** A browser window, whatever its engine. Expressions are JavaScript source; promises are awaited. */
export interface EngineWindow {
  goto(url: string): Promise<void>;
  /**
   * Clicks like a person, so that a popup may open. Waits until a popup can open, because the scripts of a page may not
   * have run while it is loading.
   */
  click(selector: string): Promise<void>;
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** One person's browser, with its own cookies. */
export interface Person {
  open(url: string): Promise<EngineWindow>;
  /** The window opened by an action. */
  popupOf(act: () => Promise<unknown>): Promise<EngineWindow>;
  /** Counts the open windows. */
  count(): Promise<number>;
  leave(): Promise<void>;
}

export interface Engine {
  readonly name: 'Chromium' | 'Firefox' | 'WebKit';
  person(): Promise<Person>;
  stop(): Promise<void>;
}

const patienceMs = 15_000;
const isRead = "document.readyState !== 'loading'";

/** Waits until an expression is true in a window, across navigations. */
export async function until(window: EngineWindow, expression: string, forMs = patienceMs): Promise<void> {
  const endsAt = performance.now() + forMs;
  for (;;) {
    const value = await window.evaluate<boolean>(`Boolean(${expression})`).catch(() => false);
    if (value) return;
    if (performance.now() > endsAt) {
      const page = await window
        .evaluate<string>('location.href + "\\n" + document.body.innerText')
        .catch((error) => `no page: ${error}`);
      throw new Error(`never true: ${expression}\n${page}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The window that an action has opened. */
async function newcomer<W>(windows: () => Promise<W[]>, act: () => Promise<unknown>): Promise<W> {
  const before = await windows();
  await act();
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    const found = (await windows()).find((window) => !before.includes(window));
    if (found !== undefined) return found;
    if (performance.now() > endsAt) throw new Error('no window opened');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Arguments for Chromium's command line. */
export const startEngine: Record<Engine['name'], (args?: string[]) => Promise<Engine>> = {
  Chromium: startChromium,
  Firefox: startFirefox,
  WebKit: () => startWebKit(newcomer),
};

async function startChromium(args: string[] = []): Promise<Engine> {
  const browser = await launchWholeChromium(args);
  return {
    name: 'Chromium',
    async person() {
      const context = await browser.newContext();
      return {
        open: async (url) => {
          const page = chromiumWindow(await context.newPage());
          await page.goto(url);
          return page;
        },
        popupOf: async (act) => chromiumWindow(await newcomer(async () => context.pages(), act)),
        count: async () => context.pages().length,
        leave: () => context.close(),
      };
    },
    stop: () => browser.close(),
  };
}

/** For requests that only Chromium supports. */
export function pageOf(window: EngineWindow): Page {
  const page = chromiumPages.get(window);
  if (!page) throw new Error('not a window of Chromium');
  return page;
}

const chromiumPages = new WeakMap<EngineWindow, Page>();

function chromiumWindow(page: Page): EngineWindow {
  const window: EngineWindow = {
    goto: async (url) => void (await page.goto(url)),
    async click(selector) {
      await page.waitForSelector(selector, { timeout: 10_000 });
      await until(window, isRead);
      await page.click(selector, { timeout: 10_000 });
    },
    evaluate: (expression) => page.evaluate(expression),
    close: () => page.close(),
  };
  chromiumPages.set(window, page);
  return window;
}

async function startFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: { 'dom.disable_open_during_load': true },
  });
  return {
    name: 'Firefox',
    async person() {
      const context: FirefoxContext = await browser.createBrowserContext();
      return {
        open: async (url) => {
          const page = firefoxWindow(await context.newPage());
          await page.goto(url);
          return page;
        },
        popupOf: async (act) => firefoxWindow(await newcomer(() => context.pages(), act)),
        count: async () => (await context.pages()).length,
        leave: () => context.close(),
      };
    },
    stop: () => browser.close(),
  };
}

function firefoxWindow(page: FirefoxPage): EngineWindow {
  const window: EngineWindow = {
    goto: async (url) => void (await page.goto(url)),
    async click(selector) {
      await page.waitForSelector(selector, { visible: true });
      await until(window, isRead);
      await page.click(selector);
    },
    evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
    close: () => page.close(),
  };
  return window;
}
