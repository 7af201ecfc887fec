/** Most specific first: nearly every browser also names the ones it descends from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ (Mobile\/\S+ )?Safari\//, 'Safari'],
];

/** An iPad that asks for desktop pages calls itself a Mac; nothing in the text tells it from one. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * A short name for what sent a user agent, such as `Chrome on Windows`, so that people recognise their own
 * devices in a list. Null when it names nothing. A user agent proves nothing, so nothing is decided by this.
 */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  // No dots: in a mail, what looks like a host name becomes a link.
  const browser = find(browsers) ?? /^(?!Mozilla\/)([A-Za-z][\w-]{0,30})(\/|$)/.exec(userAgent)?.[1];
  const system = find(systems);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}

/** Who did something, as a mail about it tells: what is not known is left out. */
export function describeClient(client: {
  userAgent: string | null;
  country: string | null;
}): Record<string, string> {
  const { country } = client;
  const device = deviceName(client.userAgent);
  return { ...(device === null ? {} : { device }), ...(country === null ? {} : { country }) };
}
