import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cookieNames, cookieValues, hasCookie, serializeCookie } from '../../src/lib/cookie.ts';

const base = {
  name: 'pid_access',
  value: 'a.b-c_d~',
  path: '/',
  maxAgeSeconds: 900,
  httpOnly: true,
  secure: true,
};

describe('serializeCookie', () => {
  it('writes each attribute once, and always SameSite=Lax', () => {
    expect(serializeCookie(base)).toBe(
      'pid_access=a.b-c_d~; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    const bare = { ...base, value: '', maxAgeSeconds: 0, path: '/v1/auth', httpOnly: false, secure: false };
    expect(serializeCookie({ ...bare, domain: 'example.com' })).toBe(
      'pid_access=; Max-Age=0; Domain=example.com; Path=/v1/auth; SameSite=Lax',
    );
  });
});

describe('cookieValues', () => {
  it('reads a header in linear time, whatever its parts are', () => {
    // Reading every part up to the next equals sign would take hours.
    const header = `pid_access${';'.repeat(1_000_000)}${' '.repeat(1_000_000)}=x; pid_access=1`;
    expect(cookieValues(header, 'pid_access')).toEqual(['1']);
  });
});

describe('hasCookie', () => {
  it('finds a whole cookie in any position, but not inside another one', () => {
    for (const header of ['key=a', 'x=1; key=a', 'key=a; x=1', 'x=1; key=a; y=2'])
      expect(hasCookie(header, 'key=a')).toBe(true);
    for (const header of [
      null,
      undefined,
      '',
      'key=ab',
      'xkey=a',
      'x= key=a',
      'x=1 key=a; y=2',
      'key=b; y=key=a',
    ])
      expect(hasCookie(header, 'key=a')).toBe(false);
  });
});

describe('cookieValues', () => {
  it('finds every value of a name in order, but none of similar names', () => {
    const header =
      'pid_access=one; xpid_access=no; pid_access2=no; pid_access=two;pid_access = three ; other=pid_access=no';
    expect(cookieValues(header, 'pid_access')).toEqual(['one', 'two', 'three']);
  });

  it('keeps equals signs and empty values, and tolerates malformed parts', () => {
    expect(cookieValues('a=b=c==; pid_access=; ; =; pid_access', 'a')).toEqual(['b=c==']);
    expect(cookieValues('a=b=c==; pid_access=; ; =; pid_access', 'pid_access')).toEqual(['']);
    for (const header of [null, undefined, '', 'pid_access', ';;;', 'PID_ACCESS=x']) {
      expect(cookieValues(header, 'pid_access')).toEqual([]);
    }
  });

  it('reads back a serialized value in any position', () => {
    const value = fc.stringMatching(/^[\w.~-]{0,40}$/);
    fc.assert(
      fc.property(value, fc.array(value), fc.array(value), (own, before, after) => {
        const pair = serializeCookie({ ...base, value: own }).split(';', 1)[0] ?? '';
        const others = (values: string[]) => values.map((text, index) => `other${index}=${text}`);
        const header = [...others(before), pair, ...others(after)].join('; ');
        expect(cookieValues(header, 'pid_access')).toEqual([own]);
      }),
    );
  });
});

describe('cookieNames', () => {
  it('lists the names with a prefix, each once', () => {
    const header = 'pid_oauth_a=1; pid_oauth=2; pid_oauth_b=3; pid_oauth_a=4; xpid_oauth_c=5; pid_oauth_d';
    expect(cookieNames(header, 'pid_oauth_')).toEqual(['pid_oauth_a', 'pid_oauth_b', 'pid_oauth_d']);
    expect(cookieNames(null, 'pid_')).toEqual([]);
  });
});
