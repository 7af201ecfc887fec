import type { OidcSettings } from '../src/config/provider-settings.ts';
import type { Deps } from '../src/deps.ts';
import { type ProviderId, providerIds } from '../src/lib/credential-kinds.ts';

/** A sandbox provider: the provider it replaces, and this service's client there. */
export interface SandboxInstance {
  readonly id: ProviderId;
  readonly name: string;
  /** The issuer, or the base of its URLs. */
  readonly base: string;
  /** The picker's URL. */
  readonly authorizePath: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

type Settings = Pick<OidcSettings, 'issuer' | 'name' | 'clientId' | 'clientSecret'>;

/** The unconfigured providers, which the sandbox replaces. */
export function sandboxInstances(deps: Deps): SandboxInstance[] {
  return providerIds.flatMap((id) => sandboxInstance(deps, id) ?? []);
}

export function sandboxInstance(deps: Deps, id: ProviderId): SandboxInstance | null {
  const { origin, idp, google, github } = deps.config;
  // The sandbox does not replace other providers.
  const known: Partial<Record<ProviderId, Settings | null>> = {
    idp,
    google,
    github: github && { ...github, issuer: github.baseUrl },
  };
  const settings = known[id];
  const base = `${origin}/dev/${id}`;
  if (settings?.issuer !== base) return null;
  const { name, clientId, clientSecret } = settings;
  const authorizePath = `/dev/${id}${id === 'github' ? '/login/oauth' : ''}/authorize`;
  return { id, name, base, authorizePath, clientId, clientSecret };
}
