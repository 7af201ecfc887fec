import type { Child } from 'hono/jsx';
import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import type { ProviderId } from '../../lib/credential-kinds.ts';
import { Card } from '../../ui/components/card.tsx';
import { Notice } from '../../ui/components/notice.tsx';
import { ProviderLink } from '../../ui/components/provider.tsx';
import { fill } from '../../ui/locale.ts';
import { useTexts } from '../../ui/view.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { ContinueTo, type Place } from '../shared/continue-to.tsx';

/** An external provider that people can sign in with. */
export interface ConfiguredProvider {
  readonly id: ProviderId;
  readonly name: string | null;
}

export interface SignInProps {
  readonly providers: readonly ConfiguredProvider[];
  readonly place: Place;
  /** The address at which a provider's sign-in starts. */
  readonly startOf?: (provider: ProviderId) => string;
  /** Whether an app shows the page in a browser of its own, in which providers may refuse. */
  readonly isInApp?: boolean;
  readonly notice?: Child;
  readonly email?: Child;
  readonly passkey?: Child;
  /** Shown at the end, such as a way out. */
  readonly children?: Child;
}

function startOfSignIn(provider: ProviderId): string {
  return startSignInEndpoint(provider).path;
}

/** The ways to sign in. Providers are links, because the form policy would block redirects to them. */
export function SignInCard(props: SignInProps) {
  const { providers, startOf = startOfSignIn, isInApp = false, email, passkey } = props;
  const texts = useTexts(signInTexts);
  const ways = providers.length + (email === undefined ? 0 : 1) + (passkey === undefined ? 0 : 1);
  return (
    <Card title={texts.title} lead={<ContinueTo place={props.place} />}>
      {props.notice}
      {isInApp && <Notice kind="warning" title={texts.inAppTitle} text={texts.inAppAdvice} />}
      {ways === 0 && (
        <Notice kind="problem">
          <p>{texts.notConfigured}</p>
          <p class="quiet">{texts.notConfiguredAdvice}</p>
        </Notice>
      )}
      {(providers.length > 0 || passkey !== undefined) && (
        <div class="stack">
          {providers.map(({ id, name }) => (
            <ProviderLink
              provider={id}
              href={startOf(id)}
              main={ways === 1}
              text={fill(texts.continueWith, { provider: name ?? id })}
            />
          ))}
          {passkey}
        </div>
      )}
      {email !== undefined && providers.length > 0 && <p class="or">{texts.or}</p>}
      {email}
      {ways > 0 && <p class="quiet">{texts.newcomer}</p>}
      {props.children}
    </Card>
  );
}
