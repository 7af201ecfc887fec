import * as z from 'zod/mini';

const text = z.optional(z.string());

/** The brand settings. brand-settings.ts reads and checks them, and is loaded only if one is set. */
export const brandVariables = {
  BRAND_NAME: text,
  BRAND_LOGO: text,
  BRAND_LOGO_DARK: text,
  BRAND_ACCENT: text,
  BRAND_ACCENT_DARK: text,
  BRAND_RADIUS: text,
  BRAND_FONT: text,
  SUPPORT_URL: text,
  PRIVACY_URL: text,
  TERMS_URL: text,
  TEXTS: text,
  ORIGIN_NAMES: text,
  IDP_LOGO: text,
  SIGNIN_ORDER: text,
  TIME_ZONE: text,
};
