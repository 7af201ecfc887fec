import type { ActivityEntry, Me } from '../src/features/account/schema.ts';
import type { ClaimPreview } from '../src/features/claim/schema.ts';
import type { Credential } from '../src/features/credential/schema.ts';
import type { ListedSession } from '../src/features/session/schema.ts';
import { providerIds } from '../src/lib/credential-kinds.ts';
import { isoTime } from '../src/lib/id.ts';
import type { ClaimEntry } from '../src/pages/claim/claim-form.ts';
import type { ProviderNames } from '../src/pages/shared/names.ts';
import type { ConfiguredProvider } from '../src/pages/sign-in/sign-in-card.tsx';

/** Sample data for the gallery. */
export const names = {
  idp: 'Example ID',
  google: 'Google',
  github: 'GitHub',
} as const satisfies ProviderNames;

export const providers: readonly ConfiguredProvider[] = providerIds.map((id) => ({ id, name: names[id] }));

const hour = 3_600_000;

function ago(now: number, hours: number): string {
  return isoTime(now - hours * hour);
}

export function preview(now: number): ClaimPreview {
  return {
    id: 'hD7vQ2mKx0aZ_w3T',
    provider: 'google',
    email: 'ayu.lestari@example.com',
    displayName: 'Ayu Lestari',
    suggestedHandle: 'ayu.lestari',
    expiresAt: ago(now, -0.15),
  };
}

export const entry: ClaimEntry = {
  handle: 'ayu.lestari',
  displayName: 'Ayu Lestari',
  confirmed: '',
  returnTo: null,
  popup: null,
};

export function credentials(now: number): Credential[] {
  const kinds = [
    ['idp', 'ayu.lestari@example.com', 9400, 3],
    ['google', 'ayu@gmail.example', 5100, 170],
    ['github', null, 2200, 1400],
    ['email', 'a.very.long.address.that.nobody.types.twice@subdomain.example.com', 800, 30],
    ['passkey', null, 30, 0.4],
  ] as const;
  return kinds.map(([provider, email, linked, used], index) => ({
    id: `crd_${index}`,
    provider,
    email,
    linkedAt: ago(now, linked),
    lastLoginAt: ago(now, used),
  }));
}

/** Two passkeys, one of them synced, and another credential. */
export function passkeys(now: number): Credential[] {
  const [first] = credentials(now);
  const kinds = [
    ['Laptop kantor', true, 0.4],
    ['Safari on iPhone', false, 70],
  ] as const;
  return [
    ...(first ? [first] : []),
    ...kinds.map(([name, backedUp, used], index) => ({
      id: `crd_passkey_${index}`,
      provider: 'passkey',
      email: null,
      name,
      backedUp,
      linkedAt: ago(now, 700),
      lastLoginAt: ago(now, used),
      lastUsedAt: ago(now, used),
    })),
  ];
}

export function sessions(now: number): ListedSession[] {
  const places = [
    ['Chrome on macOS', 'ID', 'passkey', 2, 0, true],
    ['Safari on iPhone', 'ID', 'google', 130, 5, false],
    ['Firefox on Linux', 'SG', 'idp', 900, 300, false],
    [null, null, 'email', 1500, 1100, false],
  ] as const;
  return places.map(([device, country, provider, created, used, current], index) => ({
    id: `ses_${index}`,
    device,
    country,
    provider,
    createdAt: ago(now, created),
    lastUsedAt: ago(now, used),
    current,
  }));
}

export function activity(now: number): ActivityEntry[] {
  const lines = [
    ['session.started', 'passkey', null, 'Chrome on macOS', 'ID', 2],
    ['payment.sent', 'toko.kopi@pid', null, null, null, 2],
    ['app.created', 'Warung Kopi', null, 'Chrome on macOS', 'ID', 3],
    ['app.secret_rotated', 'Warung Kopi', null, 'Chrome on macOS', 'ID', 4],
    ['password.changed', 'email', null, 'Chrome on macOS', 'ID', 5],
    ['credential.linked', 'passkey', null, 'Chrome on macOS', 'ID', 30],
    ['session.ended', 'google', 'replay', 'Safari on iPhone', 'ID', 60],
    ['session.ended', 'idp', 'ended', 'Firefox on Linux', 'SG', 200],
    ['data.exported', null, null, 'Firefox on Linux', 'SG', 900],
    ['profile.changed', null, null, 'Edge on Windows', null, 1500],
    ['identity.claimed', null, null, 'Edge on Windows', null, 9000],
  ] as const;
  return lines.map(([type, detail, reason, device, country, hours]) => ({
    type,
    provider: /^(app|payment)\./.test(type) ? null : detail,
    reason,
    app: type.startsWith('app.') ? detail : null,
    amount: type.startsWith('payment.') ? 126_500 : null,
    party: type.startsWith('payment.') ? detail : null,
    device,
    country,
    at: ago(now, hours),
  }));
}

export function me(now: number): Me {
  return {
    pid: 'ayu.lestari@pid',
    handle: 'ayu.lestari',
    createdAt: ago(now, 9400),
    profile: { displayName: 'Ayu Lestari', locale: 'id' },
    email: 'wira@example.com',
    stepUpAmount: 500_000,
    wallet: { status: 'active', balances: [], limits: null },
  };
}

/** The ways to sign in on every sign-in page besides providers. */
export const ownWays = {
  email: { way: { returnTo: null, popup: null, toLink: false } },
  passkey: { next: '/dev/pages', claim: '/dev/pages' },
};
