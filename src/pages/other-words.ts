import { type BrandVariables, brandOf, brandProblems } from '../brand/brand-settings.ts';
import { mailTexts } from '../features/mail/texts.ts';
import { type Locale, localeNames } from '../http/context.ts';
import { commonTexts } from '../ui/messages.ts';
import * as account from './messages/account.ts';
import * as app from './messages/app.ts';
import * as claim from './messages/claim.ts';
import * as claimLink from './messages/claim.ts';
import * as link from './messages/claim.ts';
import * as desk from './messages/desk.ts';
import * as deskCodes from './messages/desk-codes.ts';
import * as deskFrame from './messages/desk-frame.ts';
import * as deskLedger from './messages/desk-ledger.ts';
import * as deskMoney from './messages/desk-money.ts';
import * as deskMove from './messages/desk-move.ts';
import * as deskPeople from './messages/desk-people.ts';
import * as developer from './messages/developer.ts';
import * as device from './messages/device.ts';
import * as email from './messages/email.ts';
import * as errors from './messages/errors.ts';
import * as grant from './messages/grant.ts';
import * as approval from './messages/popup.ts';
import * as popup from './messages/popup.ts';
import * as authorize from './messages/sign-in.ts';
import * as passkey from './messages/sign-in.ts';
import * as signIn from './messages/sign-in.ts';
import * as deposit from './messages/wallet.ts';
import * as wallet from './messages/wallet.ts';
import * as withdrawal from './messages/wallet.ts';

type Area = Readonly<Record<Locale, object>>;

// The contract fixes the error texts; their headings and advice are ours.
const { errorTexts: _, ...aroundErrors } = errors;
const catalogues: Readonly<Record<string, Area>> = {
  ...{
    commonTexts,
    ...account,
    ...app,
    ...approval,
    ...authorize,
    ...claim,
    ...claimLink,
    ...desk,
    ...deskCodes,
    ...deskFrame,
    ...deskLedger,
    ...deskMoney,
    ...deskMove,
    ...deskPeople,
    ...developer,
    ...device,
    ...deposit,
    ...email,
  },
  ...{ ...aroundErrors, ...grant, ...link, ...passkey, ...popup, ...signIn, ...wallet, ...withdrawal },
};

/** The texts that TEXTS may change, by the part of a key before its last dot. */
function areas(): Map<string, Area> {
  const kinds = Object.keys(mailTexts.en) as (keyof typeof mailTexts.en)[];
  return new Map([
    ...Object.entries(catalogues).map(([name, texts]) => [name.replace(/Texts$/, ''), texts] as const),
    ...kinds.map((kind) => [`mail.${kind}`, { en: mailTexts.en[kind], id: mailTexts.id[kind] }] as const),
  ]);
}

const placeholdersOf = (text: string) => text.match(/\{\w+\}/g) ?? [];

/**
 * Checks the brand settings, then applies the TEXTS.
 * @returns the problems found
 */
export function readBrand(variables: BrandVariables): string[] {
  const problems = brandProblems(variables);
  return problems.length > 0 ? problems : useOtherWords(brandOf(variables).TEXTS ?? {});
}

/**
 * Replaces our texts with those in TEXTS, for the lifetime of the process, before anything is rendered.
 * @returns the setting's problems; if there are any, nothing is changed
 */
export function useOtherWords(
  words: {
    readonly [locale in Locale]?: Record<string, string> | undefined;
  },
): string[] {
  const known = areas();
  const found = (Object.keys(localeNames) as Locale[]).flatMap((locale) =>
    Object.entries(words[locale] ?? {}).map(([key, text]) => {
      const dot = key.lastIndexOf('.');
      const texts = known.get(key.slice(0, dot))?.[locale] ?? {};
      const name = key.slice(dot + 1);
      return { locale, key, name, text, texts, usual: new Map(Object.entries(texts)).get(name) };
    }),
  );
  const problems = found.flatMap(({ locale, key, text, usual }) => {
    if (typeof usual !== 'string') return [`TEXTS must not have ${locale} ${key}: there is no such text`];
    const allowed: readonly string[] = placeholdersOf(usual);
    const others = placeholdersOf(text).filter((name) => !allowed.includes(name));
    return others.map((name) => `TEXTS must not have ${name} in ${locale} ${key}`);
  });
  if (problems.length === 0) {
    for (const { texts, name, text } of found) Object.assign(texts, { [name]: text });
  }
  return problems;
}
