import { BlockList, isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  addressKey,
  canonicalAddress,
  forwardedAddress,
  inNetworks,
  isNetwork,
} from '../../src/lib/address.ts';

describe('canonicalAddress', () => {
  it('returns the same text for every spelling of an address', () => {
    const spellings: Record<string, string[]> = {
      '192.0.2.7': [
        '192.0.2.7',
        '::ffff:192.0.2.7',
        '::FFFF:c000:207',
        '[::ffff:192.0.2.7]',
        '0:0:0:0:0:ffff:c000:0207',
      ],
      '2001:db8::1': [
        '2001:db8::1',
        '2001:DB8:0:0:0:0:0:1',
        '2001:0db8::0001',
        '[2001:db8::1]',
        '2001:db8::1%eth0',
      ],
      '::1': ['::1', '0:0:0:0:0:0:0:1', '[::1]'],
      '::': ['::', '0::0'],
    };
    for (const [canonical, texts] of Object.entries(spellings)) {
      for (const text of texts) expect(canonicalAddress(text), text).toBe(canonical);
    }
  });

  it('rejects an invalid address', () => {
    const texts = [
      '',
      'unknown',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '1.2.3.999',
      '1.2.3.4:80',
      ':::',
      '1::2::3',
    ];
    texts.push(
      '2001:db8::g',
      '12345::1',
      '1:2:3:4:5:6:7:8:9',
      ' 1.2.3.4',
      '1.2.3.4\n',
      '0x7f.0.0.1',
      'evil.example',
      '[::1',
      '::1]:80',
    );
    for (const text of texts) expect(canonicalAddress(text), JSON.stringify(text)).toBeNull();
  });
});

describe('addressKey', () => {
  it('is the IPv4 address itself or the /64 of an IPv6 address [D-65]', () => {
    expect(addressKey('192.0.2.7')).toBe('192.0.2.7');
    const network = '2001:db8:0:1::/64';
    for (const text of [
      '2001:db8:0:1::1',
      '2001:db8:0:1:ffff:ffff:ffff:ffff',
      '2001:db8:0:1:0:1:2:3',
      '2001:db8:0:1::',
    ]) {
      expect(addressKey(canonicalAddress(text) ?? ''), text).toBe(network);
    }
    for (const text of ['2001:db8:0:2::1', '2001:db8::1', '2001:db8:1:1::1']) {
      expect(addressKey(canonicalAddress(text) ?? ''), text).not.toBe(network);
    }
  });

  it('expands :: to zeros', () => {
    expect(addressKey('::1')).toBe('0:0:0:0::/64');
    expect(addressKey('::')).toBe('0:0:0:0::/64');
    expect(addressKey('1::')).toBe('1:0:0:0::/64');
    expect(addressKey('1::8')).toBe('1:0:0:0::/64');
    expect(addressKey('1:2::7:8')).toBe('1:2:0:0::/64');
    expect(addressKey('::5:6:7:8')).toBe('0:0:0:0::/64');
    expect(addressKey('::4:5:6:7:8')).toBe('0:0:0:4::/64');
  });
});

describe('forwardedAddress', () => {
  const isTrusted = (address: string) => address.startsWith('10.') || address === '2001:db8::1';

  it('returns the last entry that is not a trusted proxy, and never an earlier one [D-65]', () => {
    const headers: [string, string | null][] = [
      ['203.0.113.7', '203.0.113.7'],
      ['6.6.6.6, 203.0.113.7', '203.0.113.7'],
      ['6.6.6.6,203.0.113.7 , 10.0.0.1,2001:DB8:0::1', '203.0.113.7'],
      ['6.6.6.6, 203.0.113.7:5678', '203.0.113.7'],
      ['6.6.6.6, [2001:db8::7]:443', '2001:db8::7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
    ];
    for (const [header, address] of headers)
      expect(forwardedAddress(header, isTrusted), header).toBe(address);
  });

  it('stops at an invalid entry [D-65]', () => {
    for (const header of [
      '',
      'unknown',
      '6.6.6.6, unknown',
      '6.6.6.6,',
      '6.6.6.6, 999.1.1.1, 10.0.0.1',
      '6.6.6.6, <script>',
      '10.0.0.1',
    ]) {
      expect(forwardedAddress(header, isTrusted), header).toBeNull();
    }
  });
});

describe('isNetwork', () => {
  it('accepts addresses and networks', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '2001:db8::/128'])
      expect(isNetwork(text), text).toBe(true);
    const others = [
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/x',
      'fd00::/129',
      '[::1]',
      'fe80::1%eth0',
      'proxy.internal',
      '10.0.0',
      '10.0.0.0/-1',
    ];
    for (const text of others) expect(isNetwork(text), text).toBe(false);
  });
});

describe('inNetworks', () => {
  it('agrees with Node’s BlockList', () => {
    const networks = [
      '10.0.0.0/8',
      '192.0.2.1',
      '0.0.0.0/32',
      '198.51.100.64/26',
      '2001:db8::/33',
      'fd00::1',
      '::/127',
    ];
    const list = new BlockList();
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(prefix), family);
    }
    const inAny = inNetworks(networks);
    const near = [
      '10.255.0.1',
      '11.0.0.0',
      '192.0.2.1',
      '192.0.2.2',
      '0.0.0.0',
      '198.51.100.127',
      '198.51.100.128',
    ];
    const far = ['2001:db8:7fff::1', '2001:db8:8000::', 'fd00::1', 'fd00::2', '::', '::1', '::2', '1::a00:1'];
    for (const address of [...near, ...far])
      expect([address, inAny(address)]).toEqual([
        address,
        list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
      ]);
  });

  it('treats an IPv4-mapped IPv6 network as the IPv4 network', () => {
    const inIt = inNetworks(['::ffff:10.0.0.0/104']);
    expect([inIt('10.1.2.3'), inIt('11.1.2.3')]).toEqual([true, false]);
  });

  it('matches nothing without networks', () => {
    expect(inNetworks([])('10.0.0.1')).toBe(false);
  });
});
