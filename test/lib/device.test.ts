import { describe, expect, it } from 'vitest';
import { deviceName } from '../../src/lib/device.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)';
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8)';

describe('deviceName', () => {
  it('returns the usual names of browsers and systems', () => {
    const known: [string, string][] = [
      [`${windows} ${webkit} Chrome/126.0.0.0 Safari/537.36`, 'Chrome on Windows'],
      [`${windows} ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`, 'Edge on Windows'],
      [`${windows} ${webkit} Chrome/126.0.0.0 Safari/537.36 OPR/111.0.0.0`, 'Opera on Windows'],
      [`${mac} ${apple} Version/17.5 Safari/605.1.15`, 'Safari on macOS'],
      [`${mac} Gecko/20100101 Firefox/128.0`, 'Firefox on macOS'],
      [`${iphone} ${apple} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
      [`${iphone} ${apple} CriOS/126.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
      [`${iphone} ${apple} FxiOS/128.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
      [
        `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${apple} Version/17.5 Mobile/15E148 Safari/604.1`,
        'Safari on iPad',
      ],
      [`${android} ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
      [
        `${android} ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
        'Samsung Internet on Android',
      ],
      [
        `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/126.0.0.0 Safari/537.36`,
        'Chrome on ChromeOS',
      ],
      ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    ];
    for (const [userAgent, name] of known) expect(deviceName(userAgent)).toBe(name);
  });

  it('returns other programs’ own names', () => {
    expect(deviceName('curl/8.7.1')).toBe('curl');
    expect(deviceName('okhttp/4.12 (Android 14)')).toBe('okhttp on Android');
    expect(deviceName('node')).toBe('node');
  });

  it('returns null for an unknown user agent, and never markup or long strings', () => {
    for (const userAgent of [
      null,
      '',
      'Mozilla/5.0',
      '<b>x</b>/1',
      `${'x'.repeat(256)}/1`,
      '/',
      '\u0000',
      'evil.example/1',
    ]) {
      expect(deviceName(userAgent)).toBeNull();
    }
    expect(deviceName('Mozilla/5.0 (Windows NT 10.0)')).toBe('Windows');
  });
});
