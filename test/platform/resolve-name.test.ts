import { describe, expect, it } from 'vitest';
import { fetchResolved, resolveName } from '../../src/platform/resolve-name.ts';

/** Requests whose names get these results, one after the other. */
function requests(...results: (() => Promise<never> | never[])[]) {
  const log: string[] = [];
  let now = 1_000_000;
  const fetch = fetchResolved(
    async (request) => {
      log.push(`fetches ${request.url}`);
      return new Response();
    },
    () => now,
    async (hostname) => {
      log.push(`resolves ${hostname}`);
      return (results.shift() ?? (() => []))();
    },
  );
  return {
    log,
    to: async (url: string) => (await fetch(new Request(url))).status,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const late = async () => Promise.reject(new Error('the name server took too long'));
const unknown = async () =>
  Promise.reject(Object.assign(new Error('no such name'), { code: 'DNS_ENOTFOUND' }));

describe('a request to a provider', () => {
  it('fails before it is sent if the name server does not answer [R-23]', async () => {
    const { log, to } = requests(late);
    await expect(to('https://idp.example.com/token')).rejects.toThrow('the name server took too long');
    expect(log).toEqual(['resolves idp.example.com']);
    expect(await to('https://idp.example.com/token')).toBe(200);
  });

  it('resolves a name at most once every 30 seconds', async () => {
    const { log, to, pass } = requests();
    await to('https://idp.example.com/a');
    pass(29_999);
    await to('https://idp.example.com/b');
    pass(1);
    await to('https://idp.example.com/c');
    expect(log.filter((line) => line.startsWith('resolves'))).toHaveLength(2);
    expect(log.filter((line) => line.startsWith('fetches'))).toHaveLength(3);
  });

  it('is sent even if only the operating system may be able to resolve the name', async () => {
    const { log, to } = requests(unknown);
    expect(await to('https://idp.corp.example.com/')).toBe(200);
    expect(log).toEqual(['resolves idp.corp.example.com', 'fetches https://idp.corp.example.com/']);
  });
});

describe('the resolver', () => {
  it('reads the hosts file, and rejects text that is not a host name', async () => {
    expect((await resolveName('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
    await expect(resolveName(`${'a'.repeat(64)}.com`)).rejects.toThrow();
  });
});
