import type { Child } from 'hono/jsx';
import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import type { CredentialKind, ProviderId } from '../../lib/credential-kinds.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { ProviderLink } from '../../ui/components/icon.tsx';
import { Person } from '../../ui/components/text.tsx';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { along } from '../email/entry.ts';
import { EmailSignIn, type EmailSignInProps } from '../email/forms.tsx';
import { emailTexts } from '../messages/email.ts';
import { passkeyTexts, signInTexts } from '../messages/sign-in.ts';
import { CeremonyButton, PasskeySignIn, type PasskeySignInProps } from '../passkey/ceremony.tsx';
import { ContinueTo, type Place } from '../shared/continue-to.tsx';
import { emailPageEndpoints } from '../shared/endpoints.ts';

/** An external provider with which people can sign in. */
export interface ConfiguredProvider {
  readonly id: ProviderId;
  readonly name: string | null;
}

export interface SignInProps {
  readonly providers: readonly ConfiguredProvider[];
  readonly place: Place;
  /** The URL where a provider's sign-in starts. */
  readonly startOf?: (provider: ProviderId) => string;
  /** True if an app shows the page in its own browser, where providers may refuse to sign people in. */
  readonly isInApp?: boolean;
  readonly notice?: Child;
  readonly email?: EmailSignInProps;
  readonly passkey?: PasskeySignInProps;
  /** The sign-in method last used in this browser. */
  readonly lastUsed?: CredentialKind | null;
  /** Shown at the end, such as a cancel link. */
  readonly children?: Child;
}

function startOfSignIn(provider: ProviderId): string {
  return startSignInEndpoint(provider).path;
}

/** The sign-in methods. Providers are links, because the form policy would block redirects to them. */
export function SignInCard(props: SignInProps) {
  const { providers, startOf = startOfSignIn, isInApp = false, email, passkey, lastUsed = null } = props;
  const texts = useTexts(signInTexts);
  const ways = providers.length + (email === undefined ? 0 : 1) + (passkey === undefined ? 0 : 1);
  const badgeOf = (way: CredentialKind) => (way === lastUsed ? texts.lastUsed : undefined);
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
          {useOwnOrder([
            ...providers.map(({ id, name }) => ({
              way: id,
              button: (
                <ProviderLink
                  provider={id}
                  href={startOf(id)}
                  // The rules of Google and GitHub forbid their logos on an accent colour.
                  main={ways === 1 && id === 'idp'}
                  text={fill(texts.continueWith, { provider: name ?? id })}
                  badge={badgeOf(id)}
                />
              ),
            })),
            ...(passkey === undefined
              ? []
              : [
                  {
                    way: 'passkey' as const,
                    button: <PasskeySignIn {...passkey} badge={badgeOf('passkey')} />,
                  },
                ]),
          ])}
        </div>
      )}
      {email !== undefined && providers.length > 0 && <p class="or">{texts.or}</p>}
      {email !== undefined && <EmailSignIn {...email} badge={badgeOf('email')} />}
      {ways > 0 && <Newcomers email={email} hasPasskey={passkey !== undefined} />}
      {props.children}
    </Card>
  );
}

/** Buttons in the order of SIGNIN_ORDER, followed by the omitted ones. */
function useOwnOrder(ways: readonly { readonly way: CredentialKind; readonly button: Child }[]): Child[] {
  const { SIGNIN_ORDER: order } = useView().brand;
  const rank = (way: CredentialKind) => (order.includes(way) ? order.indexOf(way) : order.length);
  return [...ways].sort((one, other) => rank(one.way) - rank(other.way)).map(({ button }) => button);
}

/** One line for people without a PID. A new provider account leads to a PID automatically. */
function Newcomers({ email, hasPasskey }: { email: EmailSignInProps | undefined; hasPasskey: boolean }) {
  const texts = useTexts(signInTexts);
  if (email === undefined) return <p class="quiet">{texts.newcomer}</p>;
  return (
    <p class="quiet row">
      {texts.newHere}
      <a href={along(emailPageEndpoints.register.path, email.way)}>{useTexts(emailTexts).registerLink}</a>
      {hasPasskey && <CeremonyButton ceremony="signUp" text={useTexts(passkeyTexts).signUp} look="link" />}
    </p>
  );
}

interface ContinueProps {
  readonly pid: string;
  readonly name: string;
  readonly place: Place;
  /** The sign-in's destination. */
  readonly next: string;
  /** The methods for signing in as another person. */
  readonly other: string;
}

/** For people who are already signed in. */
export function ContinueCard({ pid, name, place, next, other }: ContinueProps) {
  const texts = useTexts(signInTexts);
  return (
    <Card title={texts.signedInTitle} lead={<ContinueTo place={place} />}>
      <div class="person">
        <Person name={name} detail={pid} />
      </div>
      <div class="stack">
        <LinkButton href={next} look="main" full text={fill(texts.continueAs, { pid })} />
        <LinkButton href={other} full text={texts.anotherAccount} />
      </div>
    </Card>
  );
}
