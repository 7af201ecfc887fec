import { accountPaths, deskPath, forgotPath, signInPath } from '../../lib/page-paths.ts';
import type { MailKind, MailText } from './kinds.ts';

const account = { label: 'Open your account', path: accountPaths.home } as const;
const signIn = { label: 'Sign in', path: signInPath } as const;
const forgot = { label: 'Open in this browser', path: forgotPath } as const;
const desk = { label: 'Open the administration page', path: deskPath } as const;

const resetCode: MailText = {
  subject: '{code} is your code for a new {brand} password',
  lead: 'Somebody, hopefully you, wants to choose a new password for your account at {brand}. Type this code on the page that asks for it:',
  advice: ['If this was not you, do nothing: without the code your password stays as it is.'],
  link: null,
};

export const english: Record<MailKind, MailText> = {
  register_code: {
    subject: '{code} is your code to sign up at {brand}',
    lead: 'Somebody, hopefully you, is signing up at {brand} with this address. Type this code on the page that asks for it:',
    advice: ['If this was not you, do nothing: without the code no account is made.'],
    link: null,
  },
  register_known: {
    subject: 'You already have an account at {brand}',
    lead: 'Somebody, hopefully you, tried to sign up at {brand} with this address. It already belongs to an account, so no new one was made.',
    advice: [
      'If this was you, sign in the way you did before. If you no longer know your password, choose “Forgot password?” there.',
      'If this was not you, do nothing: nothing has changed, and whoever it was did not learn that you have an account.',
    ],
    link: signIn,
  },
  link_code: {
    subject: '{code} is your code to add this address at {brand}',
    lead: 'Somebody, hopefully you, wants to sign in at {brand} with this address and a password. Type this code on the page that asks for it:',
    advice: ['If this was not you, do nothing: without the code the address is not linked to any account.'],
    link: null,
  },
  link_known: {
    subject: 'This address is already in use at {brand}',
    lead: 'Somebody, hopefully you, tried to link this address to an account at {brand}. It already belongs to an account, so nothing has changed.',
    advice: [
      'If this was you, sign in the way you did when you first used this address.',
      'If this was not you, do nothing: nobody gets into your account by this.',
    ],
    link: signIn,
  },
  reset_code: resetCode,
  known_reset_code: resetCode,
  reset_closed: {
    subject: 'One more step to a new password for {brand}',
    lead: 'Somebody, hopefully you, wants to choose a new password for your account at {brand}. After 100 wrong codes in a row, new browsers get no more codes.',
    advice: [
      'If this was you, open the link below in the browser in which you want to choose the password, and ask for a code again. The link is valid for a day.',
      'If this was not you, do nothing, and do not pass the link on: your password stays as it is.',
    ],
    link: forgot,
  },
  reset_unknown: {
    subject: 'No password to change at {brand}',
    lead: 'Somebody, hopefully you, wants to choose a new password at {brand}, but no account there has a password with this address.',
    advice: [
      'If this was you, you may sign in another way, such as with Google or a passkey, or have used another address.',
      'If this was not you, do nothing: nothing has changed.',
    ],
    link: signIn,
  },
  credential_linked: {
    subject: 'A way to sign in was added at {brand}',
    lead: 'Your account at {brand} has a new way to sign in.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else can get into your account. Open it now, remove what you do not know, and sign out everywhere else.',
    ],
    link: account,
  },
  credential_unlinked: {
    subject: 'A way to sign in was removed at {brand}',
    lead: 'One way to sign in to your account at {brand} was removed.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and look at your ways to sign in.',
    ],
    link: account,
  },
  password_changed: {
    subject: 'Your password at {brand} was changed',
    lead: 'The password of your account at {brand} was changed, and all other sessions were ended.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, choose “Forgot password?” on the sign-in page now, then look at what else signs you in.',
    ],
    link: account,
  },
  password_reset: {
    subject: 'Your password at {brand} was reset',
    lead: 'Somebody with a code from your mailbox chose a new password for your account at {brand}. All sessions were ended.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody can read your mail. Secure your mailbox first, then choose “Forgot password?” on the sign-in page.',
    ],
    link: account,
  },
  passkey_added: {
    subject: 'A passkey was added at {brand}',
    lead: 'Your account at {brand} has a new passkey. Whoever holds it can sign in.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else can get into your account. Open it now, remove the passkey, and sign out everywhere else.',
    ],
    link: account,
  },
  passkey_removed: {
    subject: 'A passkey was removed at {brand}',
    lead: 'A passkey of your account at {brand} was removed. It no longer signs anybody in.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and look at your ways to sign in.',
    ],
    link: account,
  },
  app_changed: {
    subject: 'Addresses of an app were changed at {brand}',
    lead: 'The redirect URIs, the origins, the logout address or the resources of an app of yours at {brand} were changed.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and correct the addresses.',
    ],
    link: account,
  },
  app_secret_rotated: {
    subject: 'An app has a new secret at {brand}',
    lead: 'An app of yours at {brand} has a new secret. The former ones end soon.',
    advice: [
      'If this was you, put the new secret into the settings of the app.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and replace the secret again.',
    ],
    link: account,
  },
  app_secret_revoked: {
    subject: 'A secret of an app was revoked at {brand}',
    lead: 'A secret of an app of yours at {brand} was revoked. It no longer works.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and give the app a new secret.',
    ],
    link: account,
  },
  webhook_disabled: {
    subject: 'The webhook of an app was disabled at {brand}',
    lead: 'The webhook of an app of yours at {brand} is disabled: its receiver has taken nothing for three days, or said that it is gone.',
    advice: [
      'Repair the receiver, then enable the webhook again: whatever was not delivered is sent then, for 30 days.',
    ],
    link: account,
  },
  app_allowed: {
    subject: 'An app may use your account at {brand}',
    lead: 'You allowed an app to use your account at {brand}. Your account shows what it may do, and ends that at any time.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, end the access of the app, and sign out everywhere else.',
    ],
    link: account,
  },
  step_up_changed: {
    subject: 'Your {brand} account asks for a new sign-in less often',
    lead: 'The amount above which payments and withdrawals at {brand} need a new sign-in was raised or removed. Up to it you get no mail about payments.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and set the amount again.',
    ],
    link: account,
  },
  sign_in_new_device: {
    subject: 'New sign-in to your {brand} account',
    lead: 'Somebody signed in to your account at {brand} with a device that we have not seen there lately.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open it now, sign out everywhere else, and change your password or remove what you do not know.',
    ],
    link: account,
  },
  account_closed: {
    subject: 'Your {brand} account was deleted',
    lead: 'Your account at {brand} was deleted, with your profile, your ways to sign in and your sessions. Your PID stays reserved: nobody gets it again.',
    advice: [
      'If this was you, there is nothing to do. This is the last mail about this account.',
      'If this was not you, somebody else was in your account. It cannot be opened again; secure your mailbox, and change passwords that you used elsewhere too.',
    ],
    link: null,
  },
  withdrawal_held: {
    subject: 'A withdrawal from your wallet at {brand}',
    lead: 'Somebody, hopefully you, withdraws money from your wallet at {brand}. It is paid out to a bank account within minutes.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open your account now, cancel the withdrawal if it is still possible, and sign out everywhere else.',
    ],
    link: account,
  },
  withdrawal_paid: {
    subject: 'Your withdrawal from {brand} was paid',
    lead: 'The money that was withdrawn from your wallet at {brand} was paid to the bank account.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open your account now, and sign out everywhere else.',
    ],
    link: account,
  },
  withdrawal_failed: {
    subject: 'Your withdrawal from {brand} failed',
    lead: 'The withdrawal from your wallet at {brand} could not be paid out. The money is back in your wallet, with the fee.',
    advice: [
      'If this was you, check the bank account before you try again.',
      'If this was not you, somebody else is in your account. Open your account now, and sign out everywhere else.',
    ],
    link: account,
  },
  withdrawal_returned: {
    subject: 'Your withdrawal from {brand} was returned',
    lead: 'The bank returned the money that was withdrawn from your wallet at {brand}. The amount is back in your wallet; the fee is not.',
    advice: [
      'If this was you, check the bank account before you try again.',
      'If this was not you, somebody else is in your account. Open your account now, and sign out everywhere else.',
    ],
    link: account,
  },
  payment_sent: {
    subject: 'A payment from your wallet at {brand}',
    lead: 'Your wallet at {brand} made a payment above the amount for which you chose to sign in again.',
    advice: [
      'If this was you, there is nothing to do.',
      'If this was not you, somebody else is in your account. Open your account now, sign out everywhere else, change your ways to sign in, and contact support.',
    ],
    link: account,
  },
  payment_received: {
    subject: 'You received money at {brand}',
    lead: 'Somebody paid money into your wallet at {brand}.',
    advice: [
      'If you expected it, there is nothing to do.',
      'If you do not know why you got it, pass it on to nobody who asks you to, and contact support.',
    ],
    link: account,
  },
  desk_proposal: {
    subject: 'A decision about money waits for your approval at {brand}',
    lead: '{maker} proposes a decision about money at {brand}. The amount needs a second administrator.',
    advice: [
      'Approve or reject it on the administration page within three days. Nothing moves until then.',
      'If you do not know why this is proposed, ask {maker} before you approve it, but not by replying to this mail.',
    ],
    link: desk,
  },
  guessing_stopped: {
    subject: 'Somebody is guessing at your password at {brand}',
    lead: 'Somebody typed 100 wrong passwords, or 100 wrong codes for a new password, in a row for your account at {brand}. Nobody got in this way. New browsers can no longer use it, not even with the right one.',
    advice: [
      'If this was not you, there is nothing to do: you can sign in as before in every browser in which you have signed in already, and with your other ways to sign in.',
      'If this was you, or you want to use your password in a new browser, change it in your account, or choose “Forgot your password?” on the sign-in page.',
    ],
    link: account,
  },
};
