import { idpEndpoints, startSignInEndpoint } from '../src/features/idp/endpoints.ts';
import { signingKeyEndpoints } from '../src/features/signing-key/endpoints.ts';
import type { ProviderId } from '../src/lib/credential-kinds.ts';
import { pidOf } from '../src/lib/id.ts';
import { accountPaths, claimPath, deskPath, devReceiverPath, signInPath } from '../src/lib/page-paths.ts';
import { pageEndpoints } from '../src/pages/shared/endpoints.ts';
import { olu, shopkeeper } from './people.ts';
import type { ClockState } from './schema.ts';

interface IndexProps {
  /** The external providers, and whether the sandbox replaces each. */
  readonly providers: readonly {
    readonly id: ProviderId;
    readonly name: string | null;
    readonly sandbox: boolean;
  }[];
  /** Null if the clock cannot be moved. */
  readonly clock: ClockState | null;
  /** True if newcomers claim a PID. In interface revision `direct` they receive one automatically. */
  readonly hasClaims: boolean;
  readonly accessCookie: string;
  /** Origins of the example apps that run alongside the service, starting with the shop. */
  readonly examples: readonly string[];
  /** The PIDs of the administrators. */
  readonly administrators: readonly string[];
  /** The PIDs of support. */
  readonly support: readonly string[];
  /** The service's own address. */
  readonly origin: string;
}

/** `/dev`: an overview of the development tools. */
export function IndexPage(props: IndexProps) {
  const { providers, clock, hasClaims, accessCookie, examples } = props;
  return (
    <>
      <h1>Development</h1>
      <p class="quiet">None of this exists in production: there, every address under /dev answers 404.</p>
      <div class="columns">
        <Tour {...props} />
        <Pages hasClaims={hasClaims} examples={examples} />
        <Providers providers={providers} />
        {clock !== null && <ClockCard clock={clock} />}
        <ForPrograms accessCookie={accessCookie} />
      </div>
    </>
  );
}

/** The first things to try. */
function Tour({ clock, examples: [shop], administrators, support, origin }: IndexProps) {
  return (
    <section class="card">
      <h2>Start here</h2>
      <ul class="plain">
        {shop && (
          <Entry href={shop} text="Shop">
            Takes payments as an app: everybody signed in there can buy. It belongs to{' '}
            <code>{pidOf(shopkeeper.id)}</code>: enter {shopkeeper.email} at the sandbox to see its side.
          </Entry>
        )}
        <Entry href={accountPaths.home} text="Account">
          The hosted account of whoever is signed in, with the wallet.
        </Entry>
        <Entry href={deskPath} text="Desk">
          Where operators find people and money, at {`${origin}${deskPath}`}.{' '}
          <DeskRoles administrators={administrators} support={support} />
        </Entry>
        <Entry href="/dev/mail" text="Mailbox">
          Every mail the service wrote, with its codes.
        </Entry>
        {clock !== null && (
          <Entry href="#clock" text="Clock">
            Moves the service’s time forward, to see what expires.
          </Entry>
        )}
      </ul>
    </section>
  );
}

/** Lists the people who may open the desk, and the sandbox account of each. */
function DeskRoles({ administrators, support }: Pick<IndexProps, 'administrators' | 'support'>) {
  const isAdministrator = administrators.includes(pidOf(olu.id));
  return (
    <>
      {isAdministrator && `Sign in as ${olu.name} (${pidOf(olu.id)}), who is an administrator. `}
      {`Administrators: ${administrators.join(', ') || 'nobody; ADMIN_PIDS names them'}. `}
      {`Support: ${support.join(', ') || 'nobody; SUPPORT_PIDS names them'}. All others get 403.`}
    </>
  );
}

function Pages({ hasClaims, examples: [, ...apps] }: Pick<IndexProps, 'hasClaims' | 'examples'>) {
  return (
    <section class="card">
      <h2>Pages</h2>
      <ul class="plain">
        {apps.map((origin) => (
          <Entry href={origin} text="Example app">
            A page of another origin that shows each call of the SDK and what came of it.
          </Entry>
        ))}
        <Entry href="/docs" text="API">
          The contract: every request, answer and error, with a form to send it.
        </Entry>
        <Entry href="/dev/welcome" text="Welcome">
          A small client of the API: who is signed in, and each call with its raw answer.
        </Entry>
        <Entry href={devReceiverPath} text="Webhooks">
          A receiver that shows what arrived, and whether its signature holds.
        </Entry>
        <Entry href="/dev/pages" text="Gallery">
          Every component and every state of the hosted pages, in both themes and languages.
        </Entry>
        <Entry href={signInPath} text="Sign in">
          The hosted sign-in page.
        </Entry>
        {hasClaims && (
          <Entry href={claimPath} text="Claim">
            The hosted claim page; answers 410 unless a new person has just signed in.
          </Entry>
        )}
      </ul>
    </section>
  );
}

function Providers({ providers }: Pick<IndexProps, 'providers'>) {
  return (
    <section class="card">
      <h2>Identity providers</h2>
      <ul class="plain">
        {providers.map(({ id, name, sandbox }) => (
          <li>
            {name ?? id}
            <div class="quiet">
              {sandbox ? 'The sandbox: ' : 'Outside of this process: '}
              <code>{sandbox ? `/dev/${id}` : startSignInEndpoint(id).path}</code>
            </div>
          </li>
        ))}
      </ul>
      {providers.some(({ id, sandbox }) => id === 'idp' && sandbox) && <SandboxProvider />}
    </section>
  );
}

function ForPrograms({ accessCookie }: Pick<IndexProps, 'accessCookie'>) {
  return (
    <section class="card">
      <h2>For programs</h2>
      <ul class="plain">
        <Entry href={idpEndpoints.listProviders.path} text={idpEndpoints.listProviders.path}>
          The external sign-ins there are.
        </Entry>
        <Entry href={signingKeyEndpoints.getKeys.path} text={signingKeyEndpoints.getKeys.path}>
          The keys that verify <code>{accessCookie}</code>.
        </Entry>
        <Entry href={pageEndpoints.getHealth.path} text={pageEndpoints.getHealth.path}>
          Whether the process runs.
        </Entry>
        <Entry href={pageEndpoints.getReadiness.path} text={pageEndpoints.getReadiness.path}>
          Whether the database answers.
        </Entry>
      </ul>
    </section>
  );
}

function Entry({ href, text, children }: { href: string; text: string; children?: unknown }) {
  return (
    <li>
      <a href={href}>{text}</a>
      <div class="quiet">{children}</div>
    </li>
  );
}

function SandboxProvider() {
  return (
    <>
      <ul class="plain">
        <Entry href="/dev/idp/.well-known/openid-configuration" text="Discovery document">
          Of <code>/dev/idp</code>, as an OpenID Connect provider has it.
        </Entry>
        <Entry href="/dev/idp/jwks" text="Keys">
          What its ID tokens are verified with.
        </Entry>
      </ul>
      <form method="post" action="/dev/seed">
        <button type="submit">Load the demo data</button>
        <p class="hint">
          Ayu claims her PID, so that the email conflict has somebody to collide with, and registers an app.
        </p>
      </form>
    </>
  );
}

const steps = [
  [601, '10 minutes', 'a claim ticket'],
  [901, '15 minutes', 'the access token'],
  [2_592_001, '30 days', 'the refresh token'],
] as const;

function ClockCard({ clock }: { clock: ClockState }) {
  return (
    <section class="card">
      <h2 id="clock">Clock</h2>
      <dl>
        <dt>Now</dt>
        <dd>
          <time datetime={clock.now}>{clock.now}</time>
        </dd>
        <dt>Ahead by</dt>
        <dd>{`${clock.offsetSeconds} seconds`}</dd>
      </dl>
      <form method="post" action="/dev/clock" class="stack">
        {steps.map(([seconds, text, what]) => (
          <button type="submit" name="advanceSeconds" value={String(seconds)} class="full">
            <span>
              {`Forward ${text}`}
              <small>{`past the end of ${what}`}</small>
            </span>
          </button>
        ))}
      </form>
      <p class="hint">It goes back to the real time when the service restarts.</p>
    </section>
  );
}
