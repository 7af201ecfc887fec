import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientStage } from './client-stage.ts';
import { type RunningProcess, runProcess } from './processes.ts';

const program = '/usr/sbin/apache2';
const modules = '/usr/lib/apache2/modules';

/** The reason why Apache cannot run as an OpenID Connect client here; null if it can. */
export const noApache = [program, `${modules}/mod_auth_openidc.so`].every((file) => existsSync(file))
  ? null
  : 'the packages apache2 and libapache2-mod-auth-openidc are not installed';

interface Site {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Starts Apache at http://localhost:`port` with its own configuration. Its only page requires a sign-in, and shows the
 * signed-in person; its access token is hidden in the page.
 */
export async function startApache(stage: ClientStage, site: Site): Promise<RunningProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-apache-'));
  // Apache's workers run as another user if we are root.
  await chmod(folder, 0o755);
  await cp(stage.caFile, join(folder, 'ca.pem'));
  const claims = ['sub', 'aud', 'email', 'preferred_username'];
  const shown = claims.map((name) => `${name}=<!--#echo var="OIDC_CLAIM_${name}" -->`).join(' ');
  const token = '<!--#echo var="OIDC_access_token" -->';
  const page = `<!doctype html><title>Site</title><p>${shown}</p><p id="token" hidden>${token}</p>`;
  await writeFile(join(folder, 'index.shtml'), page);
  await writeFile(join(folder, 'httpd.conf'), settings(folder, stage.issuer, site));
  const isUp = async () => (await fetch(`http://localhost:${site.port}/`, { redirect: 'manual' })).status > 0;
  const command = [program, '-d', folder, '-f', join(folder, 'httpd.conf'), '-DFOREGROUND'];
  const running = await runProcess(command, { cwd: folder, env: {} }, isUp);
  return {
    ...running,
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settings(folder: string, issuer: string, { port, clientId, clientSecret }: Site): string {
  const loaded = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'include', 'auth_openidc'];
  return `
    ${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n    ')}
    ServerName localhost
    Listen 127.0.0.1:${port}
    User www-data
    Group www-data
    PidFile ${folder}/httpd.pid
    ErrorLog "|/bin/cat"
    DocumentRoot ${folder}
    OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
    OIDCClientID ${clientId}
    OIDCClientSecret ${clientSecret}
    OIDCRedirectURI http://localhost:${port}/callback
    OIDCCryptoPassphrase "only for this test"
    OIDCScope "openid profile email offline_access"
    OIDCPKCEMethod S256
    OIDCIDTokenSignedResponseAlg RS256
    OIDCCABundlePath ${folder}/ca.pem
    OIDCPassClaimsAs environment
    <Location />
      AuthType openid-connect
      Require valid-user
      Options +Includes
      ForceType text/html
      SetOutputFilter INCLUDES
    </Location>
    <Location /goodbye>
      AuthType None
      Require all granted
    </Location>`;
}
