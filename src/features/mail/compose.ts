import type { Config } from '../../config.ts';
import { brandName } from '../../lib/brand-name.ts';
import { type Brand, brandOf } from '../../lib/brand-settings.ts';
import { shadesOf } from '../../lib/shades.ts';
import { type MailKind, type MailLocale, noticeKinds, paymentKinds } from './kinds.ts';
import { renderHtml, renderText } from './letter.ts';
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
  /** When it was caused, epoch milliseconds. */
  readonly created_at: number;
}

/**
 * The words of one mail, as text and as HTML that says the same. Its button leads to BASE_URL, whatever any
 * request said.
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
  const isNotice = ([...noticeKinds, ...paymentKinds] as readonly string[]).includes(kind);
  const code = params['code'] ?? null;
  // Makes the browser known in which the link is opened.
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

/** What changed, when and from where, as far as the params say so. */
function detailsOf(
  { idp }: Pick<Config, 'idp'>,
  { TIME_ZONE }: Brand,
  { locale, created_at }: Facts,
  params: MailParams,
  words: MailWords,
): [string, string][] {
  const { pid, provider, name, app, amount, sender, destination, device, country } = params as Partial<
    Record<string, string>
  >;
  const details: [string, string | undefined][] = [
    [words.account, pid],
    [words.what, provider && labelOf(provider, idp?.name ?? words.external, words)],
    [words.name, name],
    [words.app, app],
    [words.amount, amount && rupiahIn(locale, Number(amount))],
    [words.sender, sender],
    [words.destination, destination],
    [words.when, momentIn(TIME_ZONE, locale, created_at)],
    [words.device, device?.replace(' on ', words.on)],
    [words.country, country && countryName(country, locale)],
  ];
  return details.filter((detail): detail is [string, string] => Boolean(detail[1]));
}

function rupiahIn(locale: MailLocale, amount: number): string {
  const options = { style: 'currency', currency: 'IDR', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale === 'en' ? 'en-GB' : 'id-ID', options).format(amount);
}

/** A moment in the time zone of the settings, whose short name it ends with. */
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

/** Undefined for what is no country, such as the marks of a network's edge for the unknown. */
function countryName(code: string, locale: MailLocale): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  const name = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(code);
  return name;
}

/** A value that somebody chose stays on its line: no line breaks, no marks that turn the text around, not long. */
function oneLine(value: string): string {
  const plain = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...plain].slice(0, 80).join('');
}
