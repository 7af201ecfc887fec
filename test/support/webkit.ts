import { type ChildProcess, spawn } from 'node:child_process';
import { endsWithUs } from './ends-with-us.ts';
import type { Engine, EngineWindow } from './engines.ts';
import { freePort } from './processes.ts';

const browserBinary = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

type Newcomer = <W>(windows: () => Promise<W[]>, act: () => Promise<unknown>) => Promise<W>;

/** WebKitGTK through WebDriver, on a separate virtual screen. */
export async function startWebKit(newcomer: Newcomer): Promise<Engine> {
  const display = `:${((await freePort()) % 20_000) + 100}`;
  const screen = endsWithUs(
    spawn('Xvfb', [display, '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: 'ignore',
    }),
  );
  const port = await freePort();
  const driver = endsWithUs(
    spawn('WebKitWebDriver', [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: display,
        GDK_BACKEND: 'x11',
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
      },
    }),
  );
  const address = `http://127.0.0.1:${port}`;
  await ready(address);
  return {
    name: 'WebKit',
    person: () => openSession(address, newcomer),
    async stop() {
      await ended(driver);
      await ended(screen);
    },
  };
}

async function ready(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await fetch(`${address}/status`).catch(() => null)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver did not come up');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
}

/** Sends one WebDriver command (W3C WebDriver); returns its value. */
async function command<T>(method: string, url: string, body?: unknown, withinMs = 60_000): Promise<T> {
  const signal = AbortSignal.timeout(withinMs);
  const init = { method, signal, ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) };
  const answer = await fetch(url, init);
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  // The value of a page may also be an error.
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** A browser that has not started within ten seconds never will, but the next attempt succeeds. */
async function newSession(address: string, tries = 3): Promise<string> {
  const options = { binary: browserBinary, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const asked = command<{ sessionId: string }>('POST', `${address}/session`, { capabilities }, 10_000);
  if (tries === 1) return (await asked).sessionId;
  const session = await asked.catch(() => null);
  return session?.sessionId ?? newSession(address, tries - 1);
}

async function openSession(address: string, newcomer: Newcomer) {
  const sessionId = await newSession(address);
  const session = `${address}/session/${sessionId}`;
  const handles = () => command<string[]>('GET', `${session}/window/handles`);
  // A session controls one window at a time, so all commands to windows are sent one after the other.
  let turn: Promise<unknown> = Promise.resolve();
  function within<T>(handle: string, work: () => Promise<T>): Promise<T> {
    const mine = turn.then(async () => {
      await command('POST', `${session}/window`, { handle });
      return work();
    });
    turn = mine.catch(() => {});
    return mine;
  }

  const windowOf = (handle: string): EngineWindow => ({
    goto: (url) => within(handle, () => command('POST', `${session}/url`, { url })),
    click: (selector) =>
      within(handle, async () => {
        const found = await command<Record<string, string>>('POST', `${session}/element`, {
          using: 'css selector',
          value: selector,
        });
        const isRead = { script: "return document.readyState !== 'loading'", args: [] };
        while (!(await command('POST', `${session}/execute/sync`, isRead)))
          await new Promise((resolve) => setTimeout(resolve, 20));
        await command('POST', `${session}/element/${found[elementKey]}/click`);
      }),
    evaluate: (expression) =>
      within(handle, () =>
        command('POST', `${session}/execute/sync`, { script: `return (${expression})`, args: [] }),
      ),
    close: () => within(handle, () => command('DELETE', `${session}/window`)),
  });

  const [first = ''] = await handles();
  let isFirstFree = true;
  return {
    async open(url: string) {
      const handle = isFirstFree
        ? first
        : (await command<{ handle: string }>('POST', `${session}/window/new`, { type: 'tab' })).handle;
      isFirstFree = false;
      const window = windowOf(handle);
      await window.goto(url);
      return window;
    },
    popupOf: async (act: () => Promise<unknown>) => windowOf(await newcomer(handles, act)),
    count: async () => (await handles()).length,
    leave: async () => void (await command('DELETE', session)),
  };
}
