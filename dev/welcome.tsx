import { credentialEndpoints } from '../src/features/credential/endpoints.ts';
import type { Credential } from '../src/features/credential/schema.ts';
import { idpEndpoints } from '../src/features/idp/endpoints.ts';
import { sessionEndpoints } from '../src/features/session/endpoints.ts';
import type { Session } from '../src/features/session/schema.ts';
import type { Route } from '../src/http/lazy-routes.ts';
import { claimPath, signInPath } from '../src/lib/page-paths.ts';
import { withQuery } from '../src/lib/with-query.ts';
import { Person } from '../src/ui/components/text.tsx';

interface WelcomeProps {
  readonly session: Session | null;
  readonly credentials: readonly Credential[];
  /** True if a newcomer has returned from the provider and has no PID yet. */
  readonly mustClaim: boolean;
  readonly returnTo: string | null;
}

/**
 * `/dev/welcome`: an API client on one page. Links and forms work without scripts; with scripts, every call shows its
 * raw response and updates `#state`.
 */
export function WelcomePage({ session, credentials, mustClaim, returnTo }: WelcomeProps) {
  return (
    <>
      <h1>Welcome</h1>
      <div class="columns">
        <div id="state" class="stack">
          {session === null ? (
            <Nobody mustClaim={mustClaim} returnTo={returnTo} />
          ) : (
            <SignedIn session={session} returnTo={returnTo} />
          )}
          {session !== null && <Credentials credentials={credentials} />}
        </div>
        <div class="stack">
          <Calls />
          <section class="card log" id="log-card" hidden>
            <h2>Requests and answers</h2>
            <p class="quiet">
              The newest first. Session cookies are HttpOnly, so no script sees them change.
            </p>
            <ol id="log" class="plain" aria-live="polite" />
          </section>
        </div>
      </div>
    </>
  );
}

function Nobody({ mustClaim, returnTo }: { mustClaim: boolean; returnTo: string | null }) {
  if (mustClaim) {
    return (
      <section class="card">
        <h2>One step left</h2>
        <p>You have proven who you are. Now choose your PID; until then nothing is stored.</p>
        <a class="button main full" href={withQuery(claimPath, { returnTo })}>
          Choose your PID
        </a>
      </section>
    );
  }
  return (
    <section class="card">
      <h2>Nobody is signed in</h2>
      <p class="quiet">Or the access token has expired: then a refresh brings the session back.</p>
      <a class="button main full" href={withQuery(signInPath, { returnTo })}>
        Sign in
      </a>
    </section>
  );
}

function SignedIn({ session, returnTo }: { session: Session; returnTo: string | null }) {
  const { pid, profile, roles } = session;
  const { id, provider, authenticatedAt, expiresAt } = session.session;
  return (
    <section class="card">
      <div class="person">
        <Person name={profile.displayName} detail={pid} />
      </div>
      {returnTo !== null && (
        <p class="note">
          A client would now go on to <code>{returnTo}</code>
        </p>
      )}
      <dl>
        <dt>PID</dt>
        <dd>
          <strong>{pid}</strong>
        </dd>
        <dt>Session</dt>
        <dd class="mono">{id}</dd>
        <dt>Signed in</dt>
        <dd>
          <time datetime={authenticatedAt}>{authenticatedAt}</time>, by {provider}
        </dd>
        <dt>Ends at the latest</dt>
        <dd>
          <time datetime={expiresAt}>{expiresAt}</time>
        </dd>
        {roles.length > 0 && <dt>Roles</dt>}
        {roles.length > 0 && <dd>{roles.join(', ')}</dd>}
      </dl>
    </section>
  );
}

function Credentials({ credentials }: { credentials: readonly Credential[] }) {
  return (
    <section class="card">
      <h2>Credentials</h2>
      <ul class="plain">
        {credentials.map(({ id, provider, email }) => (
          <li class="spread">
            <span>
              {provider}
              <span class="quiet">{` · ${email ?? 'no address'}`}</span>
              <span class="quiet mono">
                <br />
                {id}
              </span>
            </span>
            <form
              action={credentialEndpoints.unlinkCredential.path.replace(':id', id)}
              data-method={credentialEndpoints.unlinkCredential.method}
              hidden
            >
              <button type="submit" aria-label={`Unlink ${id}`}>
                Unlink
              </button>
            </form>
          </li>
        ))}
      </ul>
      <form method="post" action="/dev/credentials">
        <button type="submit">Add a second one</button>
        <p class="hint">Development only, so that there is one to unlink. The last one always stays.</p>
      </form>
    </section>
  );
}

const calls: readonly { readonly endpoint: Route; readonly text: string }[] = [
  { endpoint: idpEndpoints.getSignInUrl, text: 'Begin a sign-in' },
  { endpoint: sessionEndpoints.getSession, text: 'Read the session' },
  { endpoint: credentialEndpoints.listCredentials, text: 'List credentials' },
  { endpoint: sessionEndpoints.refreshSession, text: 'Refresh' },
  { endpoint: sessionEndpoints.logOut, text: 'Log out' },
];

function Calls() {
  return (
    <section class="card">
      <h2>Try the API</h2>
      <ul class="plain">
        {calls.map(({ endpoint: { method, path }, text }) => (
          <li class="spread">
            <code>{`${method} ${path}`}</code>
            <form method={method === 'GET' ? 'get' : 'post'} action={path}>
              <button type="submit">{text}</button>
            </form>
          </li>
        ))}
      </ul>
      <p class="hint">
        Refresh and log out answer 204: without script the browser stays here, so reload to see the change. To
        sign in as somebody else, open <a href={signInPath}>the sign-in page</a>; all that development has is{' '}
        <a href="/dev">under /dev</a>.
      </p>
    </section>
  );
}
