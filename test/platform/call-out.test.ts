import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { pinnedCallOut } from '../../src/platform/call-out-node.ts';
import { listen } from '../support/mail-servers.ts';
import { startReceiver } from '../support/receivers.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Resolves every name to these addresses, one response after the other. */
function resolving(...answers: string[][]) {
  const asked: string[] = [];
  const callOut = pinnedCallOut(async (hostname) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  });
  return { asked, callOut };
}

const call = (url: string, timeoutMs = 15_000) => ({ url, headers: {}, body: '{}', timeoutMs });

describe('a call to an untrusted address', () => {
  it.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    // One private address among public ones, because the one that a client would use is unpredictable.
    ['8.8.8.8', '192.168.0.1'],
  ])('never connects to a name that resolves to %s [D-75]', async (...addresses) => {
    const there = await startReceiver();
    cleanups.push(there.stop);
    const { port } = new URL(there.url);
    const { callOut } = resolving(addresses);
    await expect(callOut(call(`http://hooks.acme.com:${port}/`))).rejects.toThrow(
      'the address is not public',
    );
    expect(there.received).toEqual([]);
  });

  it('resolves a name only once, so a second answer cannot redirect it [D-75]', async () => {
    const there = await startReceiver();
    cleanups.push(there.stop);
    const { port } = new URL(there.url);
    // A public address where nothing responds, then this machine: DNS rebinding.
    const { asked, callOut } = resolving(['192.0.2.1'], ['127.0.0.1']);
    await expect(callOut(call(`http://hooks.acme.com:${port}/`))).rejects.toThrow(
      'the address is not public',
    );
    expect([asked, there.received]).toEqual([['hooks.acme.com'], []]);
  });

  it('fails without an address, without a timely response, and on a broken connection', async () => {
    const { callOut } = resolving([]);
    await expect(callOut(call('http://hooks.acme.com/'))).rejects.toThrow('the address is not public');
    // The resolver itself rejects a label of 64 characters, and returns only an error.
    await expect(pinnedCallOut()(call(`http://${'a'.repeat(64)}.com/`))).rejects.toThrow(
      'the address is not public',
    );
    const silent = await startReceiver(() => 'hang');
    cleanups.push(silent.stop);
    await expect(pinnedCallOut()(call(silent.url, 50))).rejects.toThrow('no answer in time');
    await expect(pinnedCallOut()(call('http://127.0.0.1:9/'))).rejects.toThrow();
  });

  it('ends after the response headers, regardless of the length of the body', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Retry-After': '7' });
      const more = setInterval(() => response.write('a'.repeat(1000)), 1);
      response.on('close', () => clearInterval(more));
    });
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${await listen(server)}/`;
    expect(await pinnedCallOut()(call(url))).toMatchObject({ status: 200, retryAfter: '7' });
  });

  it('reads no more of a response than allowed, and aborts a trickling one [D-91]', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200);
      if (request.url === '/slow') response.write('{');
      else response.end(`${request.method} ${'é'.repeat(100)}`);
    });
    cleanups.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const read = (path: string, maxBytes: number) =>
      pinnedCallOut()({ url: url + path, headers: {}, maxBytes, timeoutMs: path === '/slow' ? 50 : 15_000 });
    expect(await read('/', 204)).toMatchObject({
      status: 200,
      retryAfter: null,
      bytes: Buffer.from(`GET ${'é'.repeat(100)}`),
    });
    await expect(read('/', 203)).rejects.toThrow('the answer is too large');
    await expect(read('/slow', 203)).rejects.toThrow();
  });
});
