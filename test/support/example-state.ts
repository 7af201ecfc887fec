import { inject } from 'vitest';
import type { ExampleState, samples } from '../../contract/examples/example.ts';
import { jakartaDay } from '../../src/lib/jakarta.ts';
import { beginLink, link, type ProviderName, prove } from './accounts.ts';
import { askApproval, newPayStage } from './approvals.ts';
import { markChecked, newApp } from './apps.ts';
import { createAuthenticator } from './authenticator.ts';
import { type Browser, json, openBrowser } from './browser.ts';
import { newDeposit, payAt, signedNotice, sync } from './deposits.ts';
import { startDevice } from './device.ts';
import { insertGrant } from './grant-rows.ts';
import { type HoldStage, newHoldStage, ownToken } from './holds.ts';
import { codeTo } from './mailbox.ts';
import { adjust, appAccount, fundedWallet, gateway, inquire, newHolder, pay } from './money.ts';
import { askLogin, askRegistration, newPasskeyMember } from './passkeys.ts';
import { freshEmail, goodPassword, newPasswordMember, register } from './passwords.ts';
import { freshHandle, type Member, newAdmin, newMember, signIn, somebody } from './people.ts';
import { decisionFields, type Opener, openPopup, registered } from './popup.ts';
import { makeChannel } from './popup-channel.ts';
import { decideReport, providerReport, sendReport } from './reports.ts';
import type { Target, TargetVariables } from './target.ts';
import { appSignIn, exchange, newCode, newRelation, tokensOf } from './token.ts';
import { allowWithdrawals, quoteOf, withdraw } from './withdrawals.ts';

/** A person in the state named by an example, and the values of the example's names. */
export interface Situation {
  readonly browser: Browser;
  readonly values: Partial<typeof samples>;
}

const adminHandle = 'keeper';
const secondHandle = 'warden';
const claimsOf = { [adminHandle]: somebody(), [secondHandle]: somebody() };

/** Settings that examples need: the service's own limits, and two administrators. */
export const exampleSettings: TargetVariables = {
  RATE_LIMITS: 'on',
  ADMIN_PIDS: `${adminHandle}@pid,${secondHandle}@pid`,
};

async function signInAdmin(target: Target, handle: keyof typeof claimsOf): Promise<Browser> {
  const [known] = await target.rows('SELECT handle FROM identities WHERE handle = ?', [handle]);
  if (!known) return (await newAdmin(target, handle, claimsOf[handle])).browser;
  const browser = openBrowser(target);
  await signIn(target, browser, claimsOf[handle]);
  return browser;
}

const states: Record<ExampleState, (target: Target) => Promise<Situation>> = {
  async nobody(target) {
    return { browser: openBrowser(target), values: { $email: freshEmail() } };
  },
  ...statesAt('idp'),
  ...statesAt('google'),
  ...statesAt('github'),
  async 'member with a ticket'(target) {
    const { browser } = await newMember(target);
    await browser.navigate(await prove(target, browser, 'google', { account: somebody() }));
    const { id } = (await (await browser.fetch('/v1/auth/claim')).json()) as { id: string };
    return { browser, values: { $ticket: id } };
  },
  async 'newcomer with a ticket'(target) {
    const browser = openBrowser(target);
    await signIn(target, browser);
    return { browser, values: {} };
  },
  async member(target) {
    return situationOf(await newMember(target));
  },
  async 'member with two credentials'(target) {
    const member = await newMember(target);
    const added = await member.browser.fetch('/dev/credentials', { method: 'POST' });
    const { id } = (await added.json()) as { id: string };
    const { browser, values } = await situationOf(member);
    return { browser, values: { ...values, $credential: id } };
  },
  async 'member who signed in an hour ago'(target) {
    const member = await newMember(target);
    await target.advance(3600);
    await member.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    return situationOf(member);
  },
  async 'owner of a passkey'(target) {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    return { browser, values: valuesOf(await authenticator.get(await askLogin(browser))) };
  },
  async 'nobody with the answer of a passkey'(target) {
    const { values } = await states['owner of a passkey'](target);
    return { browser: openBrowser(target), values };
  },
  async 'newcomer with a new passkey'(target) {
    const browser = openBrowser(target);
    return { browser, values: await newPasskey(target, browser, 'newcomer') };
  },
  async 'member with a passkey'(target) {
    const member = await newPasskeyMember(target);
    const { browser, values } = await situationOf(member);
    return { browser, values: { ...values, $passkey: member.authenticator.passkeys[0]?.id ?? '' } };
  },
  async 'member with a new passkey'(target) {
    const { browser } = await newMember(target);
    return { browser, values: await newPasskey(target, browser, 'member') };
  },
  async 'newcomer who waits for a code'(target) {
    const browser = openBrowser(target);
    const email = freshEmail();
    return { browser, values: { $email: email, $mailed: await register(target, browser, email) } };
  },
  async 'member with a password'(target) {
    const member = await newPasswordMember(target);
    const { browser, values } = await situationOf(member);
    return { browser, values: { ...values, $email: member.email } };
  },
  async 'member who forgot the password'(target) {
    const { email } = await newPasswordMember(target);
    const browser = openBrowser(target);
    await browser.fetch('/v1/auth/email/forgot', json('POST', { email }));
    return { browser, values: { $email: email, $resetcode: await codeTo(target, email) } };
  },
  async 'member who links an address'(target) {
    const { browser, values } = await situationOf(await newMember(target));
    const email = freshEmail();
    await browser.fetch('/v1/credentials/email', json('POST', { email, password: goodPassword }));
    return { browser, values: { ...values, $email: email, $mailed: await codeTo(target, email) } };
  },
  async 'nobody who comes from an app'(target) {
    const { values } = await withApp(await newMember(target));
    return { browser: openBrowser(target), values };
  },
  async 'member with an app'(target) {
    return withApp(await newMember(target));
  },
  async 'member with an app that proves a resource'(target) {
    const { browser, values } = await withApp(await newMember(target));
    const url = new URL('/.well-known/pid-resource', inject('hooks'));
    // No other test serves a proof under this name.
    url.hostname = 'localhost';
    const text = JSON.stringify({ owner: values.$app });
    await fetch(url, { method: 'PUT', body: JSON.stringify({ text }) });
    return { browser, values: { ...values, $resource: `${url.origin}/${values.$app}` } };
  },
  async 'member signed in to an app'(target) {
    const relation = await newRelation(target, { postLogoutRedirectUris: ['https://shop.example.com/'] });
    const { id_token: $idtoken = '' } = await appSignIn(relation, { scope: 'openid' });
    return { browser: relation.person.browser, values: { $app: relation.app.id, $idtoken } };
  },
  async 'app with a code'(target) {
    return withCode(target);
  },
  async 'app with tokens'(target) {
    const { browser, values, relation, code } = await withCode(target);
    const { access_token, refresh_token } = await tokensOf(await exchange(relation, code));
    return { browser, values: { ...values, $accesstoken: access_token, $refreshtoken: refresh_token } };
  },
  async 'device that waits'(target) {
    const { browser, values } = await situationOf(await newMember(target));
    const app = await newApp(browser, {
      type: 'native',
      redirectUris: ['com.example.tv:/callback'],
      allowedOrigins: [],
      deviceFlow: true,
    });
    const { device_code: $devicecode } = await startDevice({ target, app }, 'openid');
    return { browser, values: { ...values, $app: app.id, $devicecode } };
  },
  async 'member with a webhook'(target) {
    return withWebhook(await withApp(await newMember(target)));
  },
  async 'member with an event'(target) {
    return withEvent(await withWebhook(await withApp(await newMember(target))));
  },
  async 'member whose app has two secrets'(target) {
    return withEvent(await withApp(await newMember(target)));
  },
  async 'member with an app who signed in an hour ago'(target) {
    const situation = await withApp(await newMember(target));
    await target.advance(3600);
    await situation.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    return situation;
  },
  async 'member who allowed an app'(target) {
    return withGrant(target, await newMember(target));
  },
  async 'member who allowed an app and signed in an hour ago'(target) {
    const situation = await withGrant(target, await newMember(target));
    await target.advance(3600);
    await situation.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    return situation;
  },
  async 'member who ended what an app may do'(target) {
    const situation = await withGrant(target, await newMember(target));
    await situation.browser.fetch(`/v1/grants/${situation.values.$grant}`, { method: 'DELETE' });
    return situation;
  },
  async 'member with a wallet'(target) {
    const { handle } = await newHolder(target);
    const { browser, values } = await situationOf(await newHolder(target, 250_000));
    return { browser, values: { ...values, $other: handle } };
  },
  async 'member with an app that takes fees'(target) {
    const situation = await withApp(await newHolder(target));
    const { browser, values } = situation;
    const fee = { fixed: 500, bps: 70 };
    await browser.fetch(`/v1/apps/${values.$app}/fees/transfer`, json('PUT', fee));
    await adjust(target, { from: gateway, to: await appAccount(target, values.$app ?? ''), amount: 5000 });
    return situation;
  },
  async 'member with an inquiry'(target) {
    const { browser, values } = await states['member with a wallet'](target);
    const asked = await inquire(browser, values.$other ?? '', 15_000, { memo: 'for lunch' });
    const { id } = (await asked.json()) as { id: string };
    return { browser, values: { ...values, $inquiry: id } };
  },
  async 'member who has paid'(target) {
    const { payer, id } = await paid(target);
    const { browser, values } = await situationOf(payer);
    return { browser, values: { ...values, $transfer: id } };
  },
  async 'member who was paid'(target) {
    const { payee, id } = await paid(target);
    const { browser, values } = await situationOf(payee);
    return { browser, values: { ...values, $transfer: id } };
  },
  async 'member who can withdraw'(target) {
    await allowWithdrawals(target);
    return situationOf(await newHolder(target, 250_000));
  },
  async 'member with a quote'(target) {
    const { browser, values } = await states['member who can withdraw'](target);
    return { browser, values: { ...values, $withdrawal: await quoteOf(browser, 150_000) } };
  },
  async 'member who withdraws'(target) {
    const { browser, values } = await states['member who can withdraw'](target);
    return { browser, values: { ...values, $withdrawal: (await withdraw(browser, 150_000)).id } };
  },
  async 'member with a deposit'(target) {
    return withDeposit(target);
  },
  async 'member who has paid in'(target) {
    const situation = await withDeposit(target);
    const id = situation.values.$deposit ?? '';
    await payAt(target, { id }, 'pay');
    await sync(situation.browser, id);
    return situation;
  },
  async 'provider with a notification'(target) {
    const { values } = await withDeposit(target);
    const { headers } = signedNotice(target, values.$deposit ?? '');
    return {
      browser: openBrowser(target),
      values: {
        ...values,
        $noticeid: headers['webhook-id'],
        $noticetime: headers['webhook-timestamp'],
        $notice: headers['webhook-signature'],
      },
    };
  },
  administrator: (target) => atDesk(target),
  async 'administrator who is asked for help'(target) {
    const { handle: $other } = await newPasswordMember(target);
    return { browser: await signInAdmin(target, adminHandle), values: { $handle: adminHandle, $other } };
  },
  async 'administrator with a proposal'(target) {
    const second = await signInAdmin(target, secondHandle);
    const { browser, values } = await atDesk(target, 1_000);
    const input = { from: 'suspense', to: `${values.$other}@pid`, amount: 25_000_000, reason: 'letter 119' };
    const { headers, ...init } = json('POST', input);
    const keyed = { ...headers, 'Idempotency-Key': values.$transfer ?? '' };
    const answer = await second.fetch('/v1/admin/adjustments', { ...init, headers: keyed });
    const { id: $proposal } = (await answer.json()) as { id: string };
    return { browser, values: { ...values, $proposal } };
  },
  'administrator with a report': async (target) => withReport(target),
  async 'administrator with a case'(target) {
    const { browser, values } = await withReport(target);
    await decideReport(browser, values.$report);
    return { browser, values: { ...values, $case: `${values.$report}.2` } };
  },
  async 'administrator at the end of a day'(target) {
    const browser = await signInAdmin(target, adminHandle);
    // Everything is explained, and no part of it came from a provider.
    await target.rows(
      `UPDATE reconciliation_cases SET resolved_at = 5, resolved_by = 'operator', reason = 'test' WHERE resolved_at IS NULL`,
    );
    await fundedWallet(target, freshHandle(), 1);
    const [row] = await target.rows<{ at: number }>('SELECT min(at) AS at FROM legs');
    return { browser, values: { $day: jakartaDay(row?.at ?? 0), $handle: adminHandle } };
  },
  async 'app that opens a popup'(target) {
    const { id: $popup, challenge: $challenge } = makeChannel();
    return { browser: openBrowser(target), values: { $popup, $challenge } };
  },
  async 'app with an inquiry'(target) {
    const stage = await newPayStage(target);
    const { id: $inquiry } = await stage.inquire();
    const { id: $popup, challenge: $challenge } = makeChannel();
    const { id: $app, secret } = stage.app;
    await markChecked(target, $app);
    const values = {
      $inquiry,
      $popup,
      $challenge,
      $app,
      $origin: stage.origin,
      $clientsecret: secret?.value ?? '',
    };
    return { browser: openBrowser(target), values };
  },
  async 'app with an approval of a hold'(target) {
    const stage = await newHoldStage(target);
    const { id: $popup, verifier: $verifier, inquiryId: $inquiry } = await stage.approvedHold(15_000);
    return { browser: stage.person.browser, values: { ...holdValues(stage), $popup, $verifier, $inquiry } };
  },
  async 'app with a hold'(target) {
    const stage = await newHoldStage(target);
    const { id: $transfer, inquiryId } = await stage.held(15_000);
    const values = { ...holdValues(stage), $transfer, $inquiry: inquiryId ?? '' };
    return { browser: openBrowser(target), values: { ...values, $accesstoken: await ownToken(stage) } };
  },
  async 'payer who is asked for an approval'(target) {
    const stage = await newPayStage(target);
    const { id } = await askApproval(stage);
    return { browser: stage.person.browser, values: { $popup: id } };
  },
  async 'app whose popup is open'(target) {
    return (await openedPopup(target)).situation;
  },
  async 'app that has given up its popup'(target) {
    const { opener, situation } = await openedPopup(target);
    await opener.ask('cancel');
    return situation;
  },
};

const holdValues = ({ app, origin, person, shop }: HoldStage) => ({
  $app: app.id,
  $origin: origin,
  $handle: person.handle,
  $other: shop.handle,
});

type StateAt<Provider extends ProviderName> = Extract<ExampleState, `${string} ${Provider}`>;

/** States that are the same for every provider. */
function statesAt<Provider extends ProviderName>(
  provider: Provider,
): Record<StateAt<Provider>, (target: Target) => Promise<Situation>> {
  const states: Record<string, (target: Target) => Promise<Situation>> = {
    async [`newcomer who returned from ${provider}`](target) {
      const browser = openBrowser(target);
      return returned(target, browser, await prove(target, browser, provider, { account: somebody() }));
    },
    async [`member who returned from ${provider}`](target) {
      const { browser } = await newMember(target);
      const account = somebody();
      await link(target, browser, provider, account);
      return returned(target, browser, await prove(target, browser, provider, { account }));
    },
    async [`member who began to link ${provider}`](target) {
      const { browser } = await newMember(target);
      const start = new URL(await beginLink(browser, provider), target.origin);
      return { browser, values: { $link: start.searchParams.get('link') ?? '' } };
    },
    async [`member who comes back to link ${provider}`](target) {
      const { browser } = await newMember(target);
      const start = await beginLink(browser, provider);
      const account = somebody();
      return returned(target, browser, await prove(target, browser, provider, { account, start }));
    },
  };
  return states as Record<StateAt<Provider>, (target: Target) => Promise<Situation>>;
}

function returned(target: Target, browser: Browser, callback: string): Situation {
  const query = new URL(callback, target.origin).searchParams;
  const value = (name: string) => query.get(name) ?? '';
  return { browser, values: { $state: value('state'), $code: value('code'), $iss: value('iss') } };
}

/** Brings the service into that state. */
export function reach(target: Target, state: ExampleState): Promise<Situation> {
  return states[state](target);
}

async function newPasskey(
  target: Target,
  browser: Browser,
  of: 'newcomer' | 'member',
): Promise<Situation['values']> {
  return valuesOf(await createAuthenticator(target.origin).create(await askRegistration(browser, of)));
}

/** Returns an authenticator's response, by the names that examples give its parts. */
function valuesOf({ id, response }: { id: string; response: object }): Situation['values'] {
  const parts = response as Record<string, string | undefined>;
  return {
    $passkey: id,
    $clientdata: parts['clientDataJSON'] ?? '',
    $authdata: parts['authenticatorData'] ?? '',
    $signature: parts['signature'] ?? '',
    $userhandle: parts['userHandle'] ?? '',
    $attestation: parts['attestationObject'] ?? '',
  };
}

/** An administrator with documents awaiting decisions. @param times multiplies the amounts */
async function atDesk(target: Target, times = 1): Promise<Situation> {
  // An example may have frozen it.
  await target.rows(`UPDATE ledger SET mode = 'open', reason = NULL WHERE id = 1`);
  const { payer, payee, id: $transfer } = await paid(target, times);
  const { id: $app, updatedAt: $updated } = await newApp(payer.browser);
  const paidWrong = await newDeposit(payee, 150_000 * times, { method: 'qris' });
  await payAt(target, paidWrong, 'wrong');
  await sync(payee.browser, paidWrong.id);
  const paidTwice = await newDeposit(payee, 50_000 * times);
  await payAt(target, paidTwice, 'twice');
  await sync(payee.browser, paidTwice.id);
  const [second] = await target.rows<{ id: string }>('SELECT id FROM second_payments WHERE deposit = ?', [
    paidTwice.id,
  ]);
  await allowWithdrawals(target);
  const { id: $withdrawal } = await withdraw(
    (await newHolder(target, 50_000 * times)).browser,
    20_000 * times,
  );
  const browser = await signInAdmin(target, adminHandle);
  const values = { $handle: adminHandle, $other: payee.handle, $transfer, $app, $updated, $withdrawal };
  return {
    browser,
    values: {
      ...{ ...values, $deposit: paidWrong.id },
      ...{ $secondpayment: second?.id ?? '', $paidtwice: paidTwice.id },
    },
  };
}

/** A report of an unknown payment. */
async function withReport(
  target: Target,
): Promise<{ browser: Browser; values: { $report: string; $deposit: string } }> {
  const browser = await signInAdmin(target, adminHandle);
  const id = `dep_${freshHandle()}`;
  const file = providerReport([{ id, day: '2026-11-19', gross: 150_000, fee: 4_440 }]);
  const answer = await sendReport(browser, { source: 'midtrans' }, file);
  const { id: $report } = (await answer.json()) as { id: string };
  return { browser, values: { $report, $deposit: id } };
}

async function paid(target: Target, times = 1): Promise<{ payer: Member; payee: Member; id: string }> {
  const [payer, payee] = [await newHolder(target, 250_000 * times), await newHolder(target)];
  const { id } = await pay(payer, payee, 15_000 * times, { memo: 'for lunch' });
  return { payer, payee, id };
}

async function withDeposit(target: Target): Promise<Situation> {
  const member = await newHolder(target);
  const { id } = await newDeposit(member, 50_000, { method: 'qris' });
  const { browser, values } = await situationOf(member);
  return { browser, values: { ...values, $deposit: id } };
}

async function withWebhook(situation: Situation): Promise<Situation> {
  const url = 'http://127.0.0.1:9/hooks';
  await situation.browser.fetch(`/v1/apps/${situation.values.$app}/webhook`, json('POST', { url }));
  return situation;
}

/** A rotation of the secret, and its event. */
async function withEvent({ browser, values }: Situation): Promise<Situation> {
  await browser.fetch(`/v1/apps/${values.$app}/secret`, { method: 'POST' });
  const events = await browser.fetch(`/v1/apps/${values.$app}/events`);
  const { data } = (await events.json()) as { data: { id: string }[] };
  return { browser, values: { ...values, $event: data[0]?.id ?? '' } };
}

/** A registered app to which its own developer has just signed in. */
async function withCode(target: Target) {
  const relation = await newRelation(target);
  const { app, person } = relation;
  const { browser, values } = await situationOf(person);
  const code = await newCode(relation);
  const known = { $app: app.id, $clientsecret: app.secret?.value ?? '', $authcode: code.code };
  return { browser, values: { ...values, ...known }, relation, code };
}

async function withApp(member: Member): Promise<Situation> {
  const { browser, values } = await situationOf(member);
  const { id, secret } = await newApp(browser);
  return { browser, values: { ...values, $app: id, $secret: secret?.id ?? '' } };
}

async function withGrant(target: Target, member: Member): Promise<Situation> {
  const { browser, values } = await withApp(member);
  return {
    browser,
    values: { ...values, $grant: await insertGrant(target, values.$app ?? '', member.handle) },
  };
}

async function situationOf({ browser, handle }: Pick<Member, 'browser' | 'handle'>): Promise<Situation> {
  const session = await browser.fetch('/v1/auth/session');
  const credentials = await browser.fetch('/v1/credentials');
  const { session: current } = (await session.json()) as { session: { id: string } };
  const [credential] = (await credentials.json()) as { id: string }[];
  const values = {
    $handle: handle,
    $session: current.id,
    $credential: credential?.id ?? '',
    $email: freshEmail(),
  };
  return { browser, values };
}

async function openedPopup(target: Target): Promise<{ opener: Opener; situation: Situation }> {
  const opener = await registered(target, 'http://localhost:5173');
  const browser = openBrowser(target);
  const { digest: $digest } = await decisionFields(await openPopup(browser, opener));
  const { id: $popup, verifier: $verifier, challenge: $challenge } = opener;
  return { opener, situation: { browser, values: { $popup, $verifier, $challenge, $digest } } };
}
