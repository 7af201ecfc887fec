import type { Child } from 'hono/jsx';
import { Card } from '../../ui/components/card.tsx';
import { Notice } from '../../ui/components/notice.tsx';
import { ProviderLink } from '../../ui/components/provider.tsx';
import { fill } from '../../ui/locale.ts';
import { useTexts } from '../../ui/view.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { ContinueTo, type Place } from '../shared/continue-to.tsx';

export interface SignInProps {
  /** The external sign-ins that are configured. */
  readonly providers: readonly { id: string; name: string | null }[];
  readonly place: Place;
  /** Where a provider's sign-in starts. */
  readonly startOf?: (provider: string) => string;
  /** An app that shows pages inside itself, in which providers may refuse. */
  readonly isInApp?: boolean;
  /** What went wrong before. */
  readonly notice?: Child;
  /** The form for email and password. */
  readonly email?: Child;
  /** The way in with a passkey. */
  readonly passkey?: Child;
  /** What stands at the end, such as a way out. */
  readonly children?: Child;
}

/** The ways to sign in. Those to a provider are links, so that no form policy stands between here and there. */
export function SignInCard(props: SignInProps) {
  const { providers, startOf = (id) => `/v1/auth/${id}`, isInApp = false, email, passkey } = props;
  const texts = useTexts(signInTexts);
  const isOnlyWay = providers.length === 1 && email === undefined && passkey === undefined;
  const hasNone = providers.length === 0 && email === undefined && passkey === undefined;
  return (
    <Card title={texts.title} lead={<ContinueTo place={props.place} />}>
      {props.notice}
      {isInApp && (
        <Notice kind="warning" title={texts.inAppTitle}>
          <p>{texts.inAppAdvice}</p>
        </Notice>
      )}
      {hasNone && (
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
              main={isOnlyWay}
              text={fill(texts.continueWith, { provider: name ?? id })}
            />
          ))}
          {passkey}
        </div>
      )}
      {email !== undefined && providers.length > 0 && <p class="or">{texts.or}</p>}
      {email}
      {!hasNone && <p class="quiet">{texts.newcomer}</p>}
      {props.children}
    </Card>
  );
}
