import type { App, SecretList } from '../src/features/app/schema.ts';
import type { Attempt, ListedEvent, Webhook } from '../src/features/webhook/schema.ts';
import { isoTime } from '../src/lib/id.ts';

/** Sample apps for the gallery. */
export const appId = 'app_01kz00000000000000000000ab';

export const secret = 'pids_nZ3vQ0mKx0aZw3ThD7vQ2mKx0aZw3TnZ3vQ0mKx0aZw3';

export const signingSecret = 'whsec_nZ3vQ0mKx0aZw3ThD7vQ2mKx0aZw3TnZ3vQ0mKx0aZw=';

export const logo =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%209%209%22%3E%3Cpath%20fill=%22%23b45309%22%20d=%22M0%200h9v9H0z%22/%3E%3Cpath%20fill=%22%23fff%22%20d=%22M2%203h4v1h1v2H6v1H2z%22/%3E%3C/svg%3E';

const minute = 60_000;
const hour = 60 * minute;

export function app(now: number): App {
  return {
    id: appId,
    name: 'Toko Demo',
    type: 'web',
    redirectUris: ['https://shop.example.com/callback', 'http://localhost:5173/callback'],
    postLogoutRedirectUris: [],
    allowedOrigins: ['https://shop.example.com'],
    scopes: ['openid', 'profile', 'email'],
    homepageUrl: 'https://shop.example.com/',
    privacyUrl: 'https://shop.example.com/privacy',
    logoUrl: null,
    backchannelLogoutUri: null,
    idTokenAlg: 'RS256',
    pkce: 'required',
    deviceFlow: false,
    status: 'active',
    checked: false,
    firstParty: false,
    resources: [
      {
        resource: 'https://api.shop.example.com/',
        clients: ['app_01kz00000000000000000000cd'],
        provenBy: 'file' as const,
      },
    ],
    createdAt: isoTime(now - 900 * hour),
    updatedAt: isoTime(now - 30 * hour),
  };
}

export function apps(now: number): App[] {
  const other = (change: Partial<App>) => ({ ...app(now), ...change });
  return [
    app(now),
    other({ name: 'Warung Kopi', type: 'spa' }),
    other({ name: 'Perusahaan Perdagangan Bersama Sejahtera Selamanya Sdn. Bhd.', type: 'native' }),
    other({ name: '陈', status: 'suspended' }),
  ];
}

export function secrets(now: number): SecretList['data'] {
  return [
    { id: 'sec_0', hint: 'aZw3', createdAt: isoTime(now - 2 * hour), expiresAt: null },
    { id: 'sec_1', hint: 'Kx0a', createdAt: isoTime(now - 900 * hour), expiresAt: isoTime(now + 22 * hour) },
  ];
}

export function webhook(now: number): Webhook {
  return {
    url: 'https://shop.example.com/hooks/pid',
    events: ['*'],
    status: 'active',
    failingSince: null,
    updatedAt: isoTime(now - 30 * hour),
  };
}

export function failing(now: number): Webhook {
  return { ...webhook(now), failingSince: isoTime(now - 5 * hour) };
}

export function events(now: number): ListedEvent[] {
  const attempt = (hours: number, status: number | null): Attempt => ({
    at: isoTime(now - hours * hour),
    status,
    durationMs: status === null ? null : 42,
    error: status === 204 ? null : status === null ? 'no answer in time' : `the receiver answered ${status}`,
  });
  const kinds = [
    ['waiting', 2, [attempt(2, 500), attempt(1, null)]],
    ['delivered', 30, [attempt(30, 503), attempt(29, 204)]],
    ['failed', 300, [attempt(300, 302), attempt(230, 302)]],
    ['none', 500, []],
  ] as const;
  return kinds.map(([state, hours, attempts], index) => ({
    id: `evt_01kz0000000000000000000${index}ab`,
    type: 'app.secret_rotated',
    at: isoTime(now - hours * hour),
    data: { appId, secretId: 'sec_0', hint: 'aZw3' },
    state,
    nextAt: state === 'waiting' ? isoTime(now + 25 * minute) : null,
    attempts: [...attempts],
  }));
}

/** An invalid form entry and the API's message for it. */
export const typed = new URLSearchParams([
  ['name', 'n'.repeat(65)],
  ['redirectUris', 'https://shop.example.com/callback\nhttp://shop.example.com/#done'],
  ['allowedOrigins', 'https://shop.example.com/path'],
  ['homepageUrl', 'shop.example.com'],
  ['scopes', 'openid'],
  ['url', 'https://10.0.0.1/hooks'],
]);

export const problems = [
  'name must be shorter than or equal to 64 characters',
  'redirectUris.1 must be an https URL or a loopback URL',
  'allowedOrigins.0 must be an https or loopback origin',
  'homepageUrl must be an https URL or a loopback URL',
  'url must be a public https URL',
];
