import * as z from 'zod/mini';
import { providerIds } from '../lib/credential-kinds.ts';
import { isFitForName } from '../lib/display-name.ts';
import { getOrInsert } from '../lib/memoize.ts';
import { isOrigin } from '../lib/origin.ts';
import { readText } from '../lib/text-schema.ts';
import type { brandVariables } from './brand-variables.ts';
import { readableAccent, type Theme } from './colour.ts';

/** Every page that shows an image embeds it, so images must be small. */
const longestImage = 8_000;
const imageFile = /^\/brand\/[\w-]+(\.[\w-]+)*\.(svg|png)$/;
const imageData = /^data:image\/(svg\+xml|png)(;base64|;charset=utf-8)?,[\w%.~+/=!*'():;@&$-]+$/;

const image = z.optional(
  z
    .string()
    .check(
      z.refine(
        (text) => imageFile.test(text) || (imageData.test(text) && text.length <= longestImage),
        'must be /brand/ and the name of an SVG or PNG, or a data: address of one, percent-encoded or base64, of at most 8000 characters',
      ),
    ),
);

const name = z.string().check(
  z.maxLength(40, 'must be at most 40 characters'),
  z.refine(
    (text) => isFitForName(text) && text === text.trim(),
    'must not contain control or invisible characters',
  ),
);

const colour = z.optional(
  z.string().check(z.regex(/^#[\da-f]{6}$/i, 'must be a colour such as #3b7214'), z.toLowerCase()),
);

const page = (isAllowed: (url: URL) => boolean, message: string) =>
  z.optional(
    z.string().check(
      z.refine((text) => {
        const url = URL.parse(text);
        return url !== null && isAllowed(url);
      }, message),
    ),
  );
const document = page(({ protocol }) => protocol === 'https:', 'must be an https address');

/** JSON that must match a schema. */
function json<Value>(schema: z.ZodMiniType<Value>, message: string) {
  return z.optional(
    readText(
      z.string(),
      (text) => {
        try {
          return schema.parse(JSON.parse(text));
        } catch {
          return null;
        }
      },
      message,
    ),
  );
}

/** The sign-in methods with a button. */
const buttons = [...providerIds, 'passkey'] as const;

const texts = z.record(z.string(), z.string().check(z.minLength(1)));

/** System font names; no page loads a font. */
export const fonts = {
  system: 'system-ui,sans-serif',
  humanist: 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",sans-serif',
  geometric: 'Avenir,Montserrat,Corbel,"URW Gothic",sans-serif',
  rounded: 'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Nunito,sans-serif',
  serif: 'Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif',
  mono: 'ui-monospace,Menlo,Consolas,monospace',
} as const;

const shape = z.object({
  BRAND_NAME: z.optional(name),
  BRAND_LOGO: image,
  BRAND_LOGO_DARK: image,
  BRAND_ACCENT: colour,
  BRAND_ACCENT_DARK: colour,
  BRAND_RADIUS: z.optional(
    z.coerce
      .number('must be a whole number of pixels')
      .check(z.int(), z.minimum(0), z.maximum(20, 'must be at most 20')),
  ),
  BRAND_FONT: z._default(
    z.enum(
      ['system', 'humanist', 'geometric', 'rounded', 'serif', 'mono'],
      `must be one of ${Object.keys(fonts).join(', ')}`,
    ),
    'system',
  ),
  SUPPORT_URL: page(
    ({ protocol }) => protocol === 'https:' || protocol === 'mailto:',
    'must be an https or mailto address',
  ),
  PRIVACY_URL: document,
  TERMS_URL: document,
  TEXTS: json(
    z.strictObject({ en: z.optional(texts), id: z.optional(texts) }),
    'must be JSON such as {"en": {"signIn.title": "Log in"}}',
  ),
  ORIGIN_NAMES: json(
    z.record(z.string().check(z.refine(isOrigin)), name),
    'must be JSON such as {"https://shop.example.com": "Our shop"}',
  ),
  IDP_LOGO: image,
  SIGNIN_ORDER: z
    .pipe(
      z._default(z.string(), ''),
      z.transform((text) =>
        text
          .split(',')
          .map((kind) => kind.trim())
          .filter(Boolean),
      ),
    )
    .check(
      z.refine(
        (kinds) =>
          new Set(kinds).size === kinds.length &&
          kinds.every((kind) => (buttons as readonly string[]).includes(kind)),
        `must be kinds of sign-in, each once, comma separated: ${buttons.join(', ')}`,
      ),
    ),
  TIME_ZONE: z._default(
    z.string().check(z.refine(isTimeZone, 'must be the name of a time zone, such as Asia/Jakarta')),
    'Asia/Jakarta',
  ),
});

/** Settings for the service's appearance. */
export type Brand = z.infer<typeof shape>;

/** The same settings as environment variables. */
export type BrandVariables = { readonly [name in keyof typeof brandVariables]?: string | undefined };

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

type Problems = Generator<[keyof Brand, string]>;

/** Finds contradictions between these settings. An invalid value is still text here. */
function* crossChecks(env: Brand): Problems {
  const accents = { BRAND_ACCENT: 'light', BRAND_ACCENT_DARK: 'dark' } as const;
  for (const [setting, theme] of Object.entries(accents) as [keyof typeof accents, Theme][]) {
    const accent = env[setting];
    const nearest = accent && readableAccent(accent, theme);
    if (accent !== nearest) {
      yield [
        setting,
        `must have a contrast of 4.5:1 in the ${theme} theme; the nearest valid colour is ${nearest}`,
      ];
    }
  }
  for (const setting of ['BRAND_LOGO', 'BRAND_ACCENT'] as const) {
    const dark = `${setting}_DARK` as const;
    if (env[dark] !== undefined && env[setting] === undefined) {
      yield [dark, `must not be set without ${setting}`];
    }
  }
}

const settings = shape.check(
  z.superRefine(
    (env, context) => {
      const faulty = new Set(context.issues.map((issue) => issue.path?.[0]));
      for (const [name, message] of crossChecks(env)) {
        if (!faulty.has(name)) context.addIssue({ code: 'custom', message, path: [name] });
      }
    },
    { when: () => true },
  ),
);

/** Lists the problems in the brand settings, each with its variable but not its value. */
export function brandProblems(variables: BrandVariables): string[] {
  const { error } = settings.safeParse(variables);
  return error === undefined ? [] : error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
}

const read = new WeakMap<BrandVariables, Brand>();

/** The appearance of the service, from settings checked at startup. */
export function brandOf(variables: BrandVariables): Brand {
  return getOrInsert(read, variables, () => settings.parse(variables));
}
