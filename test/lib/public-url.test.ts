import { describe, expect, it } from 'vitest';
import { isPublicAddress, isPublicUrl } from '../../src/lib/public-url.ts';

const production = { ownHosts: ['id.example.org', 'id.example.org:8443'], loopback: false };

describe('an address on the public internet', () => {
  it.each([
    ...['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.0.1.1'],
    ...[
      '198.17.0.1',
      '223.255.255.255',
      '2606:4700::1111',
      '2001:200::1',
      '2a00::1',
      '::ffff:8.8.8.8',
      '3ffe::1',
    ],
  ])('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.0.1', '169.254.169.254', '172.16.0.1'],
    ...[
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
    ],
    ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1'],
    ...[
      '::ffff:a9fe:a9fe',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:10::1',
    ],
    ...['2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd12::1', 'fe80::1', 'ff02::1'],
    ...['localhost', '', '1.2.3', 'fe80::1%eth0'],
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a URL that the service may call', () => {
  it.each([
    'https://hooks.acme.com/pid',
    'https://acme.co:443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/?a=b',
  ])('is %s', (url) => expect(isPublicUrl(url, production)).toBe(true));

  it.each([
    ...[
      'http://hooks.acme.com/',
      'https://hooks.acme.com:8443/',
      'https://user@hooks.acme.com/',
      'ftp://acme.com/',
    ],
    ...[
      'https://localhost/',
      'https://a.localhost/',
      'https://intranet/',
      'https://db.internal/',
      'https://nas.local./',
    ],
    ...[
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://017700000001/',
      'https://127.1/',
    ],
    ...[
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:169.254.169.254]/',
      'https://169.254.169.254/',
    ],
    ...[
      'https://id.example.org/',
      'https://ID.example.org./',
      'https://id.example.org../',
      'https://db.internal../',
      'https:\\\\acme.com/',
      'https:acme.com',
      '//acme.com',
      '',
    ],
    ...['https://acme.com/ a', 'javascript:alert(1)', 'https://①②⑦.⓪.⓪.①/', 'https://１２７.0.0.1/'],
  ])('is not %s', (url) => expect(isPublicUrl(url, production)).toBe(false));

  it('may be on this machine in development, over http and on any port', () => {
    const development = { ...production, loopback: true };
    for (const url of ['http://localhost:3000/hooks', 'http://127.0.0.1:9/', 'https://[::1]:8443/'])
      expect(isPublicUrl(url, development)).toBe(true);
    for (const url of ['http://hooks.acme.com/', 'http://192.168.1.1/'])
      expect(isPublicUrl(url, development)).toBe(false);
  });
});
