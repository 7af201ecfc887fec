import { isLoopbackHost } from './origin.ts';

const exposed =
  'must be a loopback address such as 127.0.0.1 in development, where everybody can sign in as everybody else. A phone, another ' +
  'machine or a container reaches it by adb reverse, ssh -R or docker run --network host; ENVIRONMENT=production listens anywhere';

/** Returns whether a network address is reachable only from this machine. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackHost(address) || address === '::1';
}

/** Explains why a development service must not listen on this host. */
export function* listenProblems({ HOST }: { readonly HOST: string }): Generator<['HOST', string]> {
  if (!isLoopbackAddress(HOST)) yield ['HOST', exposed];
}
