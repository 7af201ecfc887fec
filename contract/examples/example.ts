import type { ErrorCode } from '../../src/errors.ts';
import type { ProviderId } from '../../src/lib/credential-kinds.ts';

/** The outcome of a successful operation. */
export type SuccessStatus = 200 | 202 | 204 | 302 | 303;

/** The examples for a feature's operations, by operation id. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

/**
 * The state of the person who sends an example. `test/support/example-state.ts` sets this state up: a new state needs a
 * line here and a function there.
 */
export type ExampleState =
  | 'nobody'
  | 'nobody who comes from an app'
  | `newcomer who returned from ${ProviderId}`
  | 'newcomer with a ticket'
  | 'member'
  | 'member with two credentials'
  | 'member who signed in an hour ago'
  | `member who returned from ${ProviderId}`
  | `member who began to link ${ProviderId}`
  | `member who comes back to link ${ProviderId}`
  | 'member with a ticket'
  | 'newcomer who waits for a code'
  | 'member with a password'
  | 'member who forgot the password'
  | 'member who links an address'
  | 'member with an app'
  | 'member with an app that proves a resource'
  | 'member signed in to an app'
  | 'app with a code'
  | 'app with tokens'
  | 'device that waits'
  | 'member with a webhook'
  | 'member with an event'
  | 'member whose app has two secrets'
  | 'member with an app who signed in an hour ago'
  | 'member who allowed an app'
  | 'member who allowed an app and signed in an hour ago'
  | 'member who ended what an app may do'
  | 'member with a wallet'
  | 'member with an app that takes fees'
  | 'member with an inquiry'
  | 'member who has paid'
  | 'member who was paid'
  | 'member who can withdraw'
  | 'member with a quote'
  | 'member who withdraws'
  | 'member with a deposit'
  | 'member who has paid in'
  | 'provider with a notification'
  | 'administrator'
  | 'administrator who is asked for help'
  | 'administrator with a proposal'
  | 'administrator with a report'
  | 'administrator with a case'
  | 'administrator at the end of a day'
  | 'app that opens a popup'
  | 'app with an inquiry'
  | 'app with an approval of a hold'
  | 'app with a hold'
  | 'payer who is asked for an approval'
  | 'app whose popup is open'
  | 'app that has given up its popup'
  | 'owner of a passkey'
  | 'nobody with the answer of a passkey'
  | 'newcomer with a new passkey'
  | 'member with a passkey'
  | 'member with a new passkey';

/** Values unknown to an example, by their names in it, with the values shown in the document instead. */
export const samples = {
  $handle: 'wira',
  $ticket: 'hD7vQ2mKx0aZ_w3T',
  $other: 'ketut',
  $credential: 'crd_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $session: 'ses_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $app: 'app_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $updated: '2026-11-20T08:15:00.000Z',
  $grant: 'grt_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $event: 'evt_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $inquiry: 'inq_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $origin: 'https://shop.example.com',
  $transfer: 'trf_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $withdrawal: 'wdr_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $deposit: 'dep_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $proposal: 'prp_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $report: 'rep_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $case: 'rep_06bk3n8q5x7c9v2k4m6r8t0w1y.2',
  $day: '2026-11-19',
  $noticeid: 'evt_M3Yk0ZnQ7uWb1VhT',
  $noticetime: '1795162500',
  $notice: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  $secret: 'sec_06bk3n8q5x7c9v2k4m6r8t0w1y',
  $hint: 'r7Qg',
  $clientsecret: 'pids_mF3kX9vQ2sT7bYcL0hJ4nWzR8pUe5aGdKi6oN1tVr7Qg',
  $authcode:
    'SplxlOBeZQQYbYS6WxSbIA3uT9vXkY4nRw1pLg8bD6c.aps_06bk3n8q5x7c9v2k4m6r8t0w1y.q0Vb2s8LxYc5dN7tFhJk3m',
  $idtoken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJ3aXJhQHBpZCJ9.qXb8R2mVt0Lk5Yw',
  $devicecode: 'r7xVOBeZQQYbYS6WxSbIA3uT9vXkY4nRw1pLg8bD6cE.k2Vb2s8LxYc5dN7tFhJk3m',
  $accesstoken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ3aXJhQHBpZCJ9.MEUCIQDzYx8Qp0vV',
  $refreshtoken:
    'uC7mZrQ2sT9vXkY4nRw1pLg8bD6fH3jK0aE5iM7oQ9s.aps_06bk3n8q5x7c9v2k4m6r8t0w1y.mYx0Zk3nQ7uWb1VhT5sLrA',
  $resource: 'https://api.shop.example.com/',
  $state: '0Xq3mT9sB4vZkY7nRw2pLg',
  $code: 'SplxlOBeZQQYbYS6WxSbIA',
  $popup: 'mYx0Zk3nQ7uWb1VhT5sLrA',
  $verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  $challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  $digest: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  $iss: 'https://accounts.google.com',
  $email: 'wira@example.com',
  $mailed: '408152',
  $resetcode: 'KWQM-7RPX',
  $link: 'uC7mZrQ2sT9vXkY4nRw1pLg8bD6fH3jK0aE5iM7oQ9s',
  $passkey: 'Wd4kQp7ZtE2vXb9sLm3nRw',
  $clientdata: 'eyJ0eXBlIjoid2ViYXV0aG4uLi4iLCJjaGFsbGVuZ2UiOiIuLi4ifQ',
  $authdata: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAA',
  $signature: 'MEUCIQDzYx8Qp0vV1kQ3xq3m6zq7o1m8y2d0c4b6a8f0e2d4cAIgM1',
  $userhandle: 'q0Vb2s8LxYc5dN7tFhJk3mPw9uRz1aEoGi4jKl6vTnM',
  $attestation: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVi4SZYN5YgOjGh0',
};

/** Replaces names with values, anywhere in a JSON value. */
export function fillIn<Value>(value: Value, values: Partial<typeof samples>): Value {
  const text = JSON.stringify(value);
  const filled = text?.replace(/\$[a-z]+/g, (name) => values[name as keyof typeof samples] ?? name);
  return filled === undefined ? value : JSON.parse(filled);
}

/** One request and its response. A test sends the request to the service, so the example cannot become outdated. */
export interface Example {
  readonly title: string;
  readonly as: ExampleState;
  /** Values for the path, the query and the body. Names from `samples` are replaced with values from the state. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A file, instead of a body. */
  readonly file?: string;
  /** The form's fields, instead of a body. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The response: the code of an error, with its texts if they differ from the defaults, or a success and its body. */
  readonly answer:
    | { readonly error: ErrorCode; readonly message?: string | readonly string[]; readonly oauth?: string }
    | { readonly status: SuccessStatus; readonly body?: unknown };
}
