import { brandName } from '../../brand/brand-name.ts';
import { type Brand, brandOf } from '../../brand/brand-settings.ts';
import type { Theme } from '../../brand/colour.ts';
import { type Shades, shadesOf } from '../../brand/shades.ts';
import type { Config } from '../../config.ts';
import { present } from '../../lib/present.ts';
import {
  appNoticeKinds,
  grantNoticeKinds,
  type MailKind,
  type MailLocale,
  noticeKinds,
  paymentKinds,
  receiptKinds,
} from './kinds.ts';
import type { MailParams } from './params.ts';
import { type MailWords, mailTexts, mailWords } from './texts.ts';

interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Facts {
  readonly kind: MailKind;
  readonly locale: MailLocale;
  /** When the event happened, in epoch milliseconds. */
  readonly created_at: number;
}

/**
 * The content of one email, as text and as equivalent HTML. The button leads to BASE_URL, regardless of any request.
 */
export function composeMail(config: Config, facts: Facts, given: MailParams): Composed {
  const { kind, locale } = facts;
  const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, oneLine(value)]));
  const { subject, lead, advice, link } = mailTexts[locale][kind];
  const words = mailWords[locale];
  const { host } = new URL(config.origin);
  const brand = brandOf(config);
  const own: Record<string, string | undefined> = { host, brand: brandName(brand), url: brand.SUPPORT_URL };
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => own[name] ?? params[name] ?? whole);
  const isNotice = (
    [
      ...noticeKinds,
      ...grantNoticeKinds,
      ...appNoticeKinds,
      ...paymentKinds,
      ...receiptKinds,
    ] as readonly string[]
  ).includes(kind);
  const code = params['code'] ?? null;
  // Makes the browser that opens the link known.
  const query = params['browser'] === undefined ? '' : `?browser=${params['browser']}`;
  const letter = {
    locale,
    brand: brandName(brand),
    shades: shadesOf(brand),
    subject: fill(subject),
    lead: fill(lead),
    code,
    details: isNotice ? detailsOf(config, brand, facts, params, words) : [],
    advice: [...(code === null ? [] : [words.codeLife, words.codeSecret]), ...advice].map(fill),
    link: link && { label: link.label, url: `${config.origin}${link.path}${query}` },
    footer: [words.automatic, ...(brand.SUPPORT_URL === undefined ? [] : [words.support])].map(fill),
  };
  return { subject: letter.subject, text: renderText(letter), html: renderHtml(letter) };
}

/** Lists the change, its time and its place, if the params contain them. */
function detailsOf(
  { idp }: Pick<Config, 'idp'>,
  { TIME_ZONE }: Brand,
  { locale, created_at }: Facts,
  params: MailParams,
  words: MailWords,
): [string, string][] {
  const { pid, provider, name, app, amount, debt, sender, destination, device, country } = params as Partial<
    Record<string, string>
  >;
  const { movement, fee, memo, reference, at } = params as Partial<Record<string, string>>;
  const movements: Partial<Record<string, string>> = words;
  const details: [string, string | undefined][] = [
    [words.account, pid],
    [words.what, provider && labelOf(provider, idp?.name ?? words.external, words)],
    [words.what, movement && movements[movement]],
    [words.name, name],
    [words.app, app],
    [words.amount, amount && rupiahIn(locale, Number(amount))],
    [words.fee, fee && rupiahIn(locale, Number(fee))],
    [words.debt, debt && rupiahIn(locale, Number(debt))],
    [words.sender, sender],
    [words.destination, destination],
    [words.memo, memo],
    [words.when, momentIn(TIME_ZONE, locale, at === undefined ? created_at : Number(at))],
    [words.reference, reference],
    [words.device, device?.replace(' on ', words.on)],
    [words.country, country && countryName(country, locale)],
  ];
  return details.filter((detail): detail is [string, string] => Boolean(detail[1]));
}

function rupiahIn(locale: MailLocale, amount: number): string {
  const options = { style: 'currency', currency: 'IDR', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale === 'en' ? 'en-GB' : 'id-ID', options).format(amount);
}

/** A time in the configured time zone, followed by the zone's short name. */
function momentIn(timeZone: string, locale: MailLocale, moment: number): string {
  const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'id-ID', { ...date, ...time }).format(moment);
}

function labelOf(provider: string, external: string, words: MailWords): string {
  const labels: Record<string, string> = {
    idp: external,
    google: 'Google',
    github: 'GitHub',
    email: words.password,
    passkey: 'Passkey',
  };
  return labels[provider] ?? provider;
}

/** Undefined for values that are not countries, such as a CDN's code for unknown. */
function countryName(code: string, locale: MailLocale): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  const name = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(code);
  return name;
}

/** Keeps user-chosen text on one line: no line breaks, no bidirectional control characters, limited length. */
function oneLine(value: string): string {
  const plain = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...plain].slice(0, 80).join('');
}

/** An email before it is rendered as text or HTML. Every part is plain text. */
export interface Letter {
  readonly locale: MailLocale;
  readonly brand: string;
  readonly shades: Record<Theme, Shades> | null;
  readonly subject: string;
  readonly lead: string;
  readonly code: string | null;
  readonly details: readonly (readonly [string, string])[];
  readonly advice: readonly string[];
  readonly link: { readonly label: string; readonly url: string } | null;
  readonly footer: readonly string[];
}

export function renderText({ lead, code, details, advice, link, footer }: Letter): string {
  const parts = [
    lead,
    ...(code === null ? [] : [code]),
    ...(details.length === 0 ? [] : [details.map(([name, value]) => `${name}: ${value}`).join('\n')]),
    ...advice,
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    `-- \n${footer.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const usual: Record<Theme, Shades> = {
  light: { accent: '#3b7214', deep: '#2c570d', onAccent: '#ffffff', soft: '#ebf4df' },
  dark: { accent: '#a4d958', deep: '#bdea7c', onAccent: '#132007', soft: '#1e2b13' },
};

/** Colours for the reader's theme in email clients that support it; the inline ones are for all others. */
const darkStyle = ({
  accent,
  onAccent,
  soft,
}: Shades) => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0c0f0a!important}.card{background:#141811!important;border-color:#272d22!important}
.text{color:#e9ede3!important}.quiet{color:#a3ab99!important}.code{background:${soft}!important;color:#e9ede3!important}
.brand{color:${accent}!important}.button{background:${accent}!important;color:${onAccent}!important}}`;

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const text = `margin:0 0 16px;color:#161a13;font-size:16px;line-height:1.5;${font}`;
const quiet = `color:#596153;font-size:14px;line-height:1.5;${font}`;

/** No images, scripts or external resources, so opening the email is not tracked. */
export function renderHtml(letter: Letter): string {
  const { light, dark } = letter.shades ?? usual;
  const footer = letter.footer.map(escapeHtml).join('<br>');
  return `<!doctype html>
<html lang="${letter.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(letter.subject)}</title>
<style>${darkStyle(dark)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f7f4">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f4"><tr><td align="center" style="padding:24px 12px">
<p class="brand" style="max-width:520px;margin:0 auto 16px;color:${light.accent};font-size:18px;font-weight:700;${font}">${escapeHtml(letter.brand)}</p>
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e1e5da;border-radius:12px"><tr><td style="padding:28px;text-align:left;word-break:break-word">
${contentOf(letter, light).join('\n')}
</td></tr></table>
<p class="quiet" style="max-width:520px;margin:16px auto 0;${quiet}">${footer}</p>
</td></tr></table>
</body>
</html>
`;
}

/** No heading if there is a code, because the reader is looking for the code. */
function contentOf(
  { subject, lead, code, details, advice, link }: Letter,
  { accent, onAccent, soft }: Shades,
): string[] {
  const paragraph = (words: string) => `<p class="text" style="${text}">${escapeHtml(words)}</p>`;
  return [
    ...(code === null
      ? [
          `<h1 class="text" style="margin:0 0 16px;color:#161a13;font-size:20px;line-height:1.3;${font}">${escapeHtml(subject)}</h1>`,
        ]
      : []),
    paragraph(lead),
    ...(code === null
      ? []
      : [
          `<p class="code" style="margin:0 0 16px;padding:14px;background:${soft};color:#1b1f16;border-radius:8px;text-align:center;font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace">${escapeHtml(code)}</p>`,
        ]),
    ...(details.length === 0 ? [] : [detailTable(details)]),
    ...advice.map(paragraph),
    ...(link === null
      ? []
      : [
          `<p style="margin:24px 0 8px"><a class="button" href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${accent};color:${onAccent};font-size:16px;font-weight:600;text-decoration:none;${font}">${escapeHtml(link.label)}</a></p>`,
          `<p class="quiet" style="margin:0;${quiet}">${escapeHtml(link.url)}</p>`,
        ]),
  ];
}

function detailTable(details: Letter['details']): string {
  const rows = details.map(
    ([name, value]) =>
      `<tr><td class="quiet" valign="top" style="padding:2px 16px 2px 0;${quiet}">${escapeHtml(name)}</td><td class="text" style="padding:2px 0;color:#161a13;font-size:16px;line-height:1.5;${font}">${escapeHtml(value)}</td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows.join('')}</table>`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => present(entities[character], character));
}
