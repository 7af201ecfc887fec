import type { Config } from '../../config.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import type { MailKind, MailLocale } from './kinds.ts';
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
 * The words of one mail, as text and as HTML that says the same. Its only link leads to BASE_URL, whatever any
 * request said.
 */
export function composeMail(
  config: Pick<Config, 'origin' | 'idp'>,
  facts: Facts,
  given: MailParams,
): Composed {
  const { kind, locale } = facts;
  const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, oneLine(value)]));
  const { subject, lead, advice, link } = mailTexts[locale][kind];
  const words = mailWords[locale];
  const { host } = new URL(config.origin);
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (name === 'host' ? host : (params[name] ?? whole)));
  const code = params['code'] ?? null;
  // Makes the browser known in which the link is opened.
  const query = params['browser'] === undefined ? '' : `?browser=${params['browser']}`;
  const letter = {
    locale,
    subject: fill(subject),
    lead: fill(lead),
    code,
    details: code === null && link?.path === accountPaths.home ? detailsOf(config, facts, params, words) : [],
    advice: [...(code === null ? [] : [words.codeLife, words.codeSecret]), ...advice].map(fill),
    link: link && { label: link.label, url: `${config.origin}${link.path}${query}` },
    footer: fill(words.automatic),
  };
  return { subject: letter.subject, text: renderText(letter), html: renderHtml(letter) };
}

/** What changed, when and from where, as far as the params say so. */
function detailsOf(
  { idp }: Pick<Config, 'idp'>,
  { locale, created_at }: Facts,
  params: MailParams,
  words: MailWords,
): [string, string][] {
  const { pid, provider, name, app, device, country } = params as Partial<Record<string, string>>;
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const details: [string, string | undefined][] = [
    [words.account, pid],
    [words.what, provider && labelOf(provider, idp?.name ?? words.external, words)],
    [words.name, name],
    [words.app, app],
    [words.when, `${time.format(created_at)} UTC`],
    [words.device, device?.replace(' on ', words.on)],
    [words.country, country && countryName(country, locale)],
  ];
  return details.filter((detail): detail is [string, string] => Boolean(detail[1]));
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
