import { accountPaths, deskPath, forgotPath, signInPath } from '../../lib/page-paths.ts';
import type { Text } from '../../lib/texts.ts';
import type { MailText } from './kinds.ts';

/** An email in both languages. */
export interface Mail {
  readonly subject: Text;
  readonly lead: Text;
  readonly advice: readonly Text[];
  readonly link: { readonly label: Text; readonly path: NonNullable<MailText['link']>['path'] } | null;
}

export function mail(link: Mail['link'], subject: Text, lead: Text, ...advice: Text[]): Mail {
  return { link, subject, lead, advice };
}

export const account: Mail['link'] = {
  label: ['Open your account', 'Buka akun Anda'],
  path: accountPaths.home,
};
export const signIn: Mail['link'] = { label: ['Sign in', 'Masuk'], path: signInPath };
export const forgot: Mail['link'] = {
  label: ['Open in this browser', 'Buka di browser ini'],
  path: forgotPath,
};
export const desk: Mail['link'] = {
  label: ['Open the administration page', 'Buka halaman administrasi'],
  path: deskPath,
};

export const nothingToDo: Text = `If this was you, there is nothing to do.
  Jika ini Anda, tidak ada yang perlu dilakukan.`;
export const lookAtWays: Text = `If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and look at your ways to sign in.
  Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, keluar dari semua perangkat lain, lalu periksa cara masuk Anda.`;
export const signOutElsewhere: Text = `If this was not you, somebody else is in your account. Open your account now, and sign out everywhere else.
  Jika ini bukan Anda, orang lain berada di akun Anda. Segera buka akun Anda, lalu keluar dari semua perangkat lain.`;
export const checkBank: Text = `If this was you, check the bank account before you try again.
  Jika ini Anda, periksa rekening bank itu sebelum mencoba lagi.`;
