import type { Deps } from '../../deps.ts';
import { type ProviderId, providerIds } from '../../lib/credential-kinds.ts';
import type { ProviderList } from './schema.ts';

// Separate from the providers, because most pages show their names, but few start a sign-in.
const kinds = { idp: 'oidc', google: 'oidc', github: 'oauth2' } as const;

/** The display name of a provider, or null if it is not configured. */
export function providerName({ config }: Deps, id: ProviderId): string | null {
  return config[id]?.name ?? null;
}

export function listProviders(deps: Deps): ProviderList {
  const data = providerIds.map((id) => {
    const name = providerName(deps, id);
    return { id, name, kind: kinds[id], configured: name !== null };
  });
  return { data };
}
