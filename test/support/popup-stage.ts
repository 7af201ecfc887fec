import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { BrowserContext, Page } from '../../checks/playwright.ts';
import { claimHandle } from './claim-page.ts';
import { type Engine, pageOf, startEngine } from './engines.ts';
import { type SiblingHosts, startSiblingHosts } from './sibling-hosts.ts';

/** The result of a popup's promise. */
export interface Outcome {
  readonly value?: { readonly type: string };
  readonly error?: { readonly code: string; readonly reason: string };
}

/**
 * A service, an app whose button opens the login popup, and a browser for each test: Chromium, which can be inspected.
 */
export interface Stage {
  readonly hosts: SiblingHosts;
  readonly context: BrowserContext;
  /** The app's page. */
  readonly app: Page;
  /** Another page with the SDK and the button. */
  open(address?: string): Promise<Page>;
  /** Clicks a page's button; returns the window that opens, which may close immediately. */
  window(app: Page): Promise<Page>;
  /** The same for the login popup, after it has its address. */
  popup(app?: Page): Promise<Page>;
  /** Signs in at the sandbox provider in a popup. */
  choose(popup: Page, email: string, knob?: string): Promise<void>;
  /** The same for a newcomer, who claims the handle. */
  claim(popup: Page, handle: string): Promise<void>;
  /** The same, which ends the popup. */
  join(popup: Page, handle: string): Promise<void>;
  /** Signs a newcomer in, so that the next popup asks whether to continue. */
  member(handle: string): Promise<void>;
  /** The first outcome of a page's popups, and later ones. */
  outcome(app?: Page, index?: number, withinMs?: number): Promise<Outcome>;
}

/** Returns the description of a hidden row: the heading of the page that ends it, or that it is open. */
export async function endOf({ local }: SiblingHosts, id: string): Promise<string> {
  const answer = await fetch(`${local}/popup/done?c=${id}`, { redirect: 'manual' });
  if (answer.status === 302) return 'open';
  return /<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1] ?? '';
}

export function idOf(popup: Page): string {
  return new URL(popup.url()).searchParams.get('c') ?? '';
}

/** An address that serves any page, on any of the hosts. */
export function pageAt(hosts: SiblingHosts, name: string, body: string): string {
  return hosts.app(name, `/file?${new URLSearchParams({ body })}`);
}

export function useStage(variables: Record<string, string> = {}, args: string[] = []): Stage {
  let hosts: SiblingHosts;
  let engine: Engine;
  let context: BrowserContext;
  let app: Page;
  beforeAll(async () => {
    [hosts, engine] = await Promise.all([startSiblingHosts(variables), startEngine.Chromium(args)]);
  });
  afterAll(async () => {
    await engine?.stop();
    await hosts?.stop();
  });
  beforeEach(async () => {
    const person = await engine.person();
    const window = await person.open(hosts.app('app', '/raw'));
    app = pageOf(window);
    context = app.context();
  });
  afterEach(() => context?.close());

  /** A test that is repeated after a failure needs a handle that its first run did not claim. */
  const claims = new Map<string, number>();
  const stage: Stage = {
    get hosts() {
      return hosts;
    },
    get context() {
      return context;
    },
    get app() {
      return app;
    },
    async open(address = hosts.app('app', '/raw')) {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    async window(page) {
      const [opened] = await Promise.all([context.waitForEvent('page'), page.click('#act')]);
      return opened;
    },
    async popup(page = app) {
      const popup = await stage.window(page);
      await popup.waitForURL(/popup\/login/);
      return popup;
    },
    async choose(popup, email, knob) {
      await popup.click('a[data-away=idp]');
      if (knob !== undefined) await popup.check(`input[name=${knob}]`);
      await popup.fill('input[name=name]', 'Rani Wijaya');
      await popup.fill('input[name=email]', email);
      await popup.getByRole('button', { name: 'Continue as this person' }).click();
    },
    async claim(popup, handle) {
      const times = (claims.get(handle) ?? 0) + 1;
      claims.set(handle, times);
      const free = times === 1 ? handle : `${handle}-${times}`;
      await stage.choose(popup, `${free}@example.com`);
      await claimHandle(popup, free);
    },
    async join(popup, handle) {
      await Promise.all([popup.waitForEvent('close'), stage.claim(popup, handle)]);
    },
    async member(handle) {
      await stage.join(await stage.popup(), handle);
      expect(await stage.outcome()).toMatchObject({ value: { type: 'signed_in' } });
      await app.evaluate('outcomes.length = phases.length = 0');
    },
    async outcome(page = app, index = 0, withinMs = 15_000) {
      await expect.poll(() => page.evaluate('outcomes.length'), { timeout: withinMs }).toBeGreaterThan(index);
      return page.evaluate<Outcome>(`outcomes[${index}]`);
    },
  };
  return stage;
}
