import type { Deps } from '../src/deps.ts';

const wordmark = (ink: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><circle cx="16" cy="16" r="11" fill="none" stroke="#e2574c" stroke-width="5"/><text x="36" y="23" font-family="sans-serif" font-size="20" font-weight="700" fill="${ink}">Lontar</text></svg>`,
  )}`;

/** A second appearance for every page, so that a hard-coded name or colour becomes visible. */
const secondBrand = {
  BRAND_NAME: 'Lontar',
  BRAND_LOGO: wordmark('#1b2a4a'),
  BRAND_LOGO_DARK: wordmark('#f2f4fa'),
  BRAND_ACCENT: '#1d4ed8',
  BRAND_RADIUS: '3',
  BRAND_FONT: 'humanist',
  SUPPORT_URL: 'https://lontar.example/help',
  PRIVACY_URL: 'https://lontar.example/privacy',
  TERMS_URL: 'https://lontar.example/terms',
} as const;

/** The service as shown with `?brand=second`. */
export function inSecondBrand(deps: Deps): Deps {
  return { ...deps, config: { ...deps.config, ...secondBrand } };
}
