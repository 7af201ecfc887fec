import { describe, expect, it } from 'vitest';
import { canonicalEmail, maskEmail } from '../../src/lib/email.ts';

describe('canonicalEmail', () => {
  it('returns one canonical form for every spelling of an address [D-79]', () => {
    const spellings: Record<string, string[]> = {
      'ayu@example.com': ['ayu@example.com', 'AYU@Example.COM', ' ayu@example.com\t', 'ayu@EXAMPLE.com'],
      'jos\u00e9@example.com': ['jos\u00e9@example.com', 'jose\u0301@example.com', 'JOS\u00c9@example.com'],
      'ayu@xn--bcher-kva.example': [
        'ayu@b\u00fccher.example',
        'ayu@B\u00dcCHER.example',
        'ayu@xn--bcher-kva.example',
        'ayu@bu\u0308cher.example',
      ],
      // Composed only in lower case.
      '\u01f0@example.com': ['\u01f0@example.com', 'J\u030c@example.com', 'j\u030c@EXAMPLE.com'],
      'a.b+tag@example.co.id': ['a.b+tag@example.co.id', 'A.B+Tag@example.co.id'],
    };
    for (const [canonical, texts] of Object.entries(spellings)) {
      for (const text of texts) expect(canonicalEmail(text), text).toBe(canonical);
    }
  });

  it('is idempotent', () => {
    for (const text of ['AYU@B\u00dcCHER.example', 'Jose\u0301@Example.com', 'x@127.1.example']) {
      const once = canonicalEmail(text);
      expect(once).not.toBeNull();
      expect(canonicalEmail(once ?? '')).toBe(once);
    }
  });

  it('rejects text more than twice as long as an address without normalising it', () => {
    const composed = '\u1ebf'.repeat(160);
    expect(canonicalEmail(`${composed.normalize('NFD')}@b.co`)).toBe(`${composed}@b.co`);
    expect(canonicalEmail(`${'\u1ebf'.repeat(180).normalize('NFD')}@b.co`)).toBeNull();
  });

  it('rejects invisible characters, because two addresses that look alike would be two people', () => {
    for (const unseen of ['\u200b', '\u00ad', '\u202e', '\u2066', '\u2060', '\ufe0f', '\ud800']) {
      expect(canonicalEmail(`ay${unseen}u@example.com`), JSON.stringify(unseen)).toBeNull();
      expect(canonicalEmail(`ayu@exa${unseen}mple.com`), JSON.stringify(unseen)).toBeNull();
    }
  });

  it('rejects a domain that cannot receive mail: an IP address, an empty label or a trailing hyphen', () => {
    const domains = [
      ...['1', '127.0.0.1', '127.1', '0x7f.1', '2130706433', '1.2.3.4.5', 'example.123', 'example.0x1'],
      ...[
        'b..c',
        '.b.c',
        '-b.c',
        'b-.c',
        'b.-c',
        'b.c-',
        'b.example-',
        'b_c.example',
        '\uff11\uff12\uff17.0.0.1',
      ],
      ...[`${'x'.repeat(64)}.example`, 'b\u3002\u3002c', '[::1]'],
    ];
    for (const domain of domains) expect(canonicalEmail(`a@${domain}`), domain).toBeNull();
  });

  it('accepts every domain that can receive mail', () => {
    for (const domain of [
      'b.co',
      'a-b.c-d.example',
      '1.example',
      '127.0.0.1.example',
      'xn--bcher-kva.xn--p1ai',
      'b--c.id',
    ])
      expect(canonicalEmail(`a@${domain}`), domain).toBe(`a@${domain}`);
  });

  it('rejects an invalid address', () => {
    const texts = [
      '',
      '@',
      'ayu',
      'ayu@',
      '@example.com',
      'a b@example.com',
      'ayu@localhost',
      'a@b@example.com',
      '"a"@example.com',
    ];
    texts.push(
      'ayu@example.com,bob@example.com',
      'Ayu <ayu@example.com>',
      'ayu@example.com/x',
      'ayu@example.com?x',
      'ayu@example.com#x',
    );
    texts.push(
      'ayu@example.com:25',
      'ayu@user:pass@example.com',
      'ayu@exa mple.com',
      'ayu\u0000@example.com',
      'ayu@example.com\nbcc:x@y.z',
    );
    texts.push(
      `${'x'.repeat(250)}@example.com`,
      'ayu@[127.0.0.1]',
      'ayu\\@example.com',
      'ayu@exam%70le.com%2f',
      'ayu@example.com.',
      'ayu@.',
    );
    for (const text of texts) expect(canonicalEmail(text), JSON.stringify(text)).toBeNull();
  });
});

describe('maskEmail', () => {
  it('keeps the first character and the domain', () => {
    expect(maskEmail('ayu.lestari@example.com')).toBe('a…@example.com');
    expect(maskEmail('\u{1f511}key@example.com')).toBe('\u{1f511}…@example.com');
    expect(maskEmail('a@example.com')).toBe('a…@example.com');
  });
});
