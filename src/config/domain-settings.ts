import { cookieDomainsOf } from '../lib/origin.ts';
import { publicSuffixes } from './public-suffix.data.ts';

/** The settings that contain a cookie or passkey domain. */
interface DomainSettings {
  readonly COOKIE_DOMAIN?: string | undefined;
  readonly REFRESH_COOKIE_SCOPE: 'host' | 'domain';
  readonly PASSKEY_RP_ID?: string | undefined;
}

type Problems = Generator<[keyof DomainSettings, string]>;

/** Finds problems in these settings for a service on this host. */
export function* domainProblems(env: DomainSettings, hostname: string): Problems {
  yield* relyingPartyProblems(env, hostname);
  const domain = env.COOKIE_DOMAIN;
  if (!domain) {
    if (env.REFRESH_COOKIE_SCOPE === 'domain') {
      yield ['REFRESH_COOKIE_SCOPE', 'must be host without COOKIE_DOMAIN'];
    }
    return;
  }
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    yield ['COOKIE_DOMAIN', 'must be the host of BASE_URL or one of its parent domains'];
  } else if (cookieDomainsOf(hostname).length === 0) {
    yield [
      'COOKIE_DOMAIN',
      'must not be set when the host of BASE_URL is an address or has no parent domain',
    ];
  } else if (!domain.includes('.') || publicSuffixes.includes(domain)) {
    yield ['COOKIE_DOMAIN', 'must not be a public suffix: anyone can own a site there'];
  }
}

/** Browsers reject passkeys for a domain other than the page's own or a registrable parent. */
function* relyingPartyProblems({ PASSKEY_RP_ID: id }: DomainSettings, hostname: string): Problems {
  if (!id || id === hostname) return;
  if (!hostname.endsWith(`.${id}`)) {
    yield ['PASSKEY_RP_ID', 'must be the host of BASE_URL or one of its parent domains'];
  } else if (!id.includes('.') || publicSuffixes.includes(id)) {
    yield ['PASSKEY_RP_ID', 'must not be a public suffix: browsers reject passkeys for it'];
  }
}
