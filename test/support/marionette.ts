import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us.ts';
import { freePort } from './processes.ts';

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const patienceMs = 15_000;

/**
 * Firefox through its own protocol, the only one that supports its virtual authenticator: neither CDP nor BiDi does.
 */
export interface Marionette {
  send<T>(command: string, parameters?: Record<string, unknown>): Promise<T>;
  goto(url: string): Promise<void>;
  /** Clicks like a person, on the first visible element that matches an XPath. */
  click(xpath: string): Promise<void>;
  fill(css: string, text: string): Promise<void>;
  /** Runs the body of an async function in the page. */
  evaluate<T>(body: string): Promise<T>;
  /** Waits until an expression is true in the page, across navigations. */
  until(expression: string): Promise<void>;
  /** A platform authenticator that verifies its user (WebAuthn level 3, section 11); returns its id. */
  addAuthenticator(): Promise<string>;
  stop(): Promise<void>;
}

export async function startMarionette(): Promise<Marionette> {
  const profile = await mkdtemp(join(tmpdir(), 'peridot-firefox-'));
  const port = await freePort();
  const settings = {
    'marionette.port': port,
    'security.webauth.webauthn_enable_softtoken': true,
    'security.webauth.webauthn_enable_usbtoken': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
  };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const firefox = endsWithUs(
    spawn(
      process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
      ['--headless', '--marionette', '--no-remote', '--profile', profile],
      { stdio: 'ignore' },
    ),
  );
  const stop = async () => {
    await ended(firefox);
    await rm(profile, { recursive: true, force: true });
  };
  try {
    const send = talk(await reach(port));
    await send('WebDriver:NewSession', {});
    return { ...actions(send), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Send = Marionette['send'];

function actions(send: Send): Omit<Marionette, 'stop'> {
  const evaluate = <T>(body: string) =>
    send<{ value: T }>('WebDriver:ExecuteAsyncScript', {
      script: `const done = arguments[0]; (async () => { ${body} })().then(done, (e) => done('failed: ' + e));`,
      args: [],
    }).then(({ value }) => value);
  const find = async (using: string, value: string) => {
    const answer = await patiently(() =>
      send<{ value: Record<string, string> }>('WebDriver:FindElement', { using, value }),
    );
    return answer.value[elementKey];
  };
  return {
    send,
    evaluate,
    goto: async (url) => void (await send('WebDriver:Navigate', { url })),
    async click(xpath) {
      await patiently(async () => send('WebDriver:ElementClick', { id: await find('xpath', xpath) }));
    },
    async fill(css, text) {
      const id = await find('css selector', css);
      await send('WebDriver:ElementClear', { id });
      await send('WebDriver:ElementSendKeys', { id, text });
    },
    async until(expression) {
      await patiently(async () => {
        const value = await evaluate(`return Boolean(${expression});`);
        if (value === true) return;
        const seen = await evaluate('return location.href + "\\n" + document.body.innerText;');
        throw new Error(`never true: ${expression}\n${seen}`);
      });
    },
    async addAuthenticator() {
      const { value } = await send<{ value: string }>('WebAuthn:AddVirtualAuthenticator', {
        ...{ protocol: 'ctap2_1', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserConsenting: true, isUserVerified: true },
      });
      return value;
    },
  };
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await pause(50);
    }
  }
}

function reach(port: number): Promise<Socket> {
  return patiently(
    () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      }),
  );
}

/** Commands and responses are length-prefixed JSON: `[0, id, name, parameters]` and `[1, id, error, result]`. */
function talk(socket: Socket): Send {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let rest = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let packet = take(); packet !== null; packet = take()) settle(JSON.parse(packet));
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox is gone'));
  });

  function take(): string | null {
    const colon = rest.indexOf(':');
    const end = colon + 1 + Number(rest.subarray(0, colon).toString());
    if (colon < 0 || rest.length < end) return null;
    const packet = rest.subarray(colon + 1, end).toString();
    rest = rest.subarray(end);
    return packet;
  }

  function settle(packet: [number, number, { message: string } | null, never] | object): void {
    // The first packet is the browser's greeting.
    if (!Array.isArray(packet)) return;
    const [, id, error, result] = packet;
    const command = waiting.get(id);
    waiting.delete(id);
    if (error) command?.reject(new Error(error.message));
    else command?.resolve(result);
  }

  return (command, parameters = {}) => {
    last += 1;
    const answer = Promise.withResolvers<never>();
    waiting.set(last, answer);
    const text = JSON.stringify([0, last, command, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    return answer.promise;
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
