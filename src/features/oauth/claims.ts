import { handleOf } from '../../lib/id.ts';

/** The scope of each claim about a person. */
const scopeByClaim: Readonly<Record<string, string>> = {
  name: 'profile',
  preferred_username: 'profile',
  locale: 'profile',
  email: 'email',
  email_verified: 'email',
};

/** The `acr` of a sign-in with a passkey: resistant to phishing (OpenID Connect EAP ACR Values 1.0). */
export const passkeyAcr = 'phr';

/** The claims that a request asks for. */
export interface AskedClaims {
  /** The scopes of the claims. */
  readonly scopes: readonly string[];
  /** The handle of the person who has to be signed in, if the request names one. */
  readonly handle: string | null;
  readonly needsPasskey: boolean;
}

/** The reason why a request is rejected for its claims. */
interface ClaimsRefusal {
  readonly error: 'invalid_request' | 'login_required' | 'unmet_authentication_requirements';
  readonly description: string;
}

const nothing: AskedClaims = { scopes: [], handle: null, needsPasskey: false };

/**
 * Reads the `claims` parameter (OpenID Connect Core section 5.5). A claim is requested with its scope, so that the
 * person sees it on the consent page, and comes in the ID token and from userinfo. Unknown claims are ignored, essential
 * or not, except for an essential `acr` with values: a sign-in that cannot have one of them fails (section 5.5.1.1).
 */
export function claimsOf(text: string | null): AskedClaims | ClaimsRefusal {
  if (text === null) return nothing;
  const claims = objectIn(text);
  if (claims === null) return { error: 'invalid_request', description: 'claims must be a JSON object' };
  const [idToken, userinfo] = [memberOf(claims, 'id_token'), memberOf(claims, 'userinfo')];
  const names = [...Object.keys(idToken), ...Object.keys(userinfo)];
  const scopes = Object.entries(scopeByClaim).flatMap(([name, scope]) =>
    names.includes(name) ? [scope] : [],
  );
  const [sub] = [...valuesOf(idToken, 'sub'), ...valuesOf(userinfo, 'sub')];
  const acrs = memberOf(idToken, 'acr')['essential'] === true ? valuesOf(idToken, 'acr') : [];
  if (acrs.length > 0 && !acrs.includes(passkeyAcr))
    return { error: 'unmet_authentication_requirements', description: `acr can only be ${passkeyAcr}` };
  const handle = sub === undefined ? null : handleOf(sub);
  // No other person may be signed in for this request (section 3.1.2.2).
  if (sub !== undefined && handle === null)
    return { error: 'login_required', description: 'sub in claims must be a PID' };
  return {
    scopes: [...new Set(scopes)],
    handle,
    needsPasskey: acrs.length > 0,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(text: string): Fields | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function asObject(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function memberOf(fields: Fields, name: string): Fields {
  return Object.hasOwn(fields, name) ? (asObject(fields[name]) ?? {}) : {};
}

/** The text values that a claim may have. */
function valuesOf(fields: Fields, name: string): string[] {
  const { value, values } = memberOf(fields, name);
  return [value, ...(Array.isArray(values) ? values : [])].filter((one) => typeof one === 'string');
}
