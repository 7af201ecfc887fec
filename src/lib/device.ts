/** The most specific names come first, because most browsers also name their ancestors. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ (Mobile\/\S+ )?Safari\//, 'Safari'],
];

/** An iPad that requests desktop pages looks like a Mac. */
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
 * A short name such as `Chrome on Windows`, to help people recognise their devices. User agents can be forged, so no
 * decision depends on the name.
 */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  // Contains no dots, because email programs turn host names into links.
  const browser = find(browsers) ?? /^(?!Mozilla\/)([A-Za-z][\w-]{0,30})(\/|$)/.exec(userAgent)?.[1];
  const system = find(systems);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}

/** The known details of a client, for an email. */
export function describeClient(client: {
  userAgent: string | null;
  country: string | null;
}): Record<string, string> {
  const { country } = client;
  const device = deviceName(client.userAgent);
  return { ...(device === null ? {} : { device }), ...(country === null ? {} : { country }) };
}
