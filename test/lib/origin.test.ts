import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cookieDomainsOf, isLocalPath, isLoopbackHost, isOrigin } from '../../src/lib/origin.ts';

describe('isLocalPath', () => {
  it('accepts paths on our origin', () => {
    for (const path of [
      '/',
      '/settings',
      '/a/b?c=d#e',
      '/a//b',
      '/%2F',
      '/:',
      '/@evil.example',
      '/a:b',
      '/?u=https://evil.example',
    ]) {
      expect(isLocalPath(path), path).toBe(true);
    }
  });

  it('rejects everything that a browser may interpret as another location [D-30]', () => {
    const attacks = [
      '',
      'settings',
      '//evil.example',
      '///evil.example',
      '////evil.example',
      '/\\evil.example',
      '\\\\evil.example',
    ];
    attacks.push(
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '\u0000//evil.example',
    );
    attacks.push(
      'https://evil.example',
      'https:evil.example',
      'https:/evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
    );
    attacks.push(
      'JAVASCRIPT:alert(1)',
      '//evil.example:80',
      '//user@evil.example',
      '/a\\b',
      '/a b',
      '/\u2028',
      '/\u00e9',
      '/\u3002evil.example',
    );
    attacks.push(
      '/a\r\nSet-Cookie: x=y',
      '/.//evil.example',
      '/..//evil.example',
      '/a/..//evil.example',
      '/./\\evil.example',
      '/%2e//evil.example',
    );
    attacks.push(
      '/a/%2e%2e//evil.example',
      '?x',
      '#x',
      './x',
      '../x',
      '@evil.example',
      ':80',
      '/\u0009//evil.example',
    );
    for (const attack of attacks) expect(isLocalPath(attack), JSON.stringify(attack)).toBe(false);
  });

  it('rejects everything that leads away from the base origin, by reference or by path', () => {
    const character = fc.constantFrom(
      '/',
      '\\',
      '.',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      ' ',
      '@',
      ':',
      'a',
      '?',
      '#',
      'evil.example',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (parts) => {
        const text = `/${parts.join('')}`;
        if (!isLocalPath(text)) return;
        const once = new URL(text, 'https://id.example.com');
        const twice = new URL(`${once.pathname}${once.search}${once.hash}`, 'https://id.example.com');
        expect([once.origin, twice.origin]).toEqual(['https://id.example.com', 'https://id.example.com']);
        expect(new URL(`https://id.example.com${text}`).origin).toBe('https://id.example.com');
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('isOrigin', () => {
  it('accepts only values that browsers send as Origin', () => {
    for (const text of ['https://app.example.com', 'http://localhost:5173', 'https://[::1]:8443'])
      expect(isOrigin(text), text).toBe(true);
    const others = [
      '',
      'null',
      '*',
      'https://',
      'https://app.example.com/',
      'https://app.example.com:443',
      'https://APP.example.com',
    ];
    others.push(
      'https://*.example.com',
      'app.example.com',
      'https://user@app.example.com',
      'ftp://app.example.com',
      'https://app.example.com?x',
    );
    others.push(
      ' https://app.example.com',
      'file:///x',
      'chrome-extension://abc',
      'http://localhost:80',
      'https://b\u00fccher.example',
    );
    for (const text of others) expect(isOrigin(text), text).toBe(text === 'https://*.example.com');
  });
});

describe('isLoopbackHost', () => {
  it('recognises this machine and rejects look-alikes', () => {
    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.8.8.8', '[::1]'])
      expect(isLoopbackHost(host), host).toBe(true);
    const others = [
      '',
      'localhost.evil.com',
      'evillocalhost',
      '127.0.0.1.evil.com',
      '128.0.0.1',
      '0.0.0.0',
      '[::2]',
      '::1',
      '10.0.0.1',
    ];
    for (const host of others) expect(isLoopbackHost(host), host).toBe(false);
  });
});

describe('cookieDomainsOf', () => {
  it('lists the domains that may hold cookies of this host', () => {
    expect(cookieDomainsOf('id.app.example.com')).toEqual([
      'id.app.example.com',
      'app.example.com',
      'example.com',
    ]);
    expect(cookieDomainsOf('localhost')).toEqual([]);
    for (const address of ['127.0.0.1', '[::1]']) expect(cookieDomainsOf(address)).toEqual([]);
  });
});
