import { identityScopes } from '../../features/app/schema.ts';
import type { ConsentScreen } from '../../features/oauth/authorize/step.ts';
import { authorizeEndpoints } from '../../features/oauth/endpoints.ts';
import type { Locale } from '../../http/context.ts';
import { pidOf } from '../../lib/id.ts';
import { Card } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { Person } from '../../ui/components/text.tsx';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { authorizeTexts } from '../messages/sign-in.ts';
import { AppDoubt, requestOf, ScopeList } from '../shared/app-doubt.tsx';

interface ConsentProps {
  readonly screen: ConsentScreen;
  /** The id of the waiting request. */
  readonly request: string;
  /** Leads to a sign-in as another person. */
  readonly signIn: string;
}

/** Requests consent for an app to act for the person. An unchecked or new app chooses only its name on the page. */
export function ConsentCard({ screen, request, signIn }: ConsentProps) {
  const texts = useTexts(authorizeTexts);
  const { cancel } = useTexts(commonTexts);
  const { locale } = useView();
  const { app, doubt, callsItself, origin, host, resource, handle, proof } = screen;
  return (
    <Card title={consentTitle(locale, screen)}>
      <div class="person">
        <Person
          name={app}
          detail={fill(texts[requestOf(screen.scopes)], { pid: pidOf(handle) })}
          logo={screen.logo}
        />
      </div>
      <AppLinks {...screen} />
      <AppDoubt
        doubt={doubt}
        text={doubt === 'unregistered' ? texts.knowClient : texts.knowHost}
        host={doubt === 'unregistered' ? app : host}
      >
        {callsItself !== null && <p>{fill(texts.callsItself, { name: callsItself })}</p>}
        {doubt === 'unregistered' && !origin.startsWith('https:') && <p>{texts.onDevice}</p>}
      </AppDoubt>
      <p>{texts.may}</p>
      <ScopeList scopes={screen.scopes} />
      {resource !== null && (
        <p class="lead">
          {`${texts.accessIsFor} `}
          <strong>{resource}</strong>
        </p>
      )}
      <p class="lead">
        {`${texts.answerGoesTo} `}
        <strong>{origin}</strong>
      </p>
      <Form action={authorizeEndpoints.authorize.path} hidden={{ request, proof }} class="act">
        <Button
          name="decision"
          value="allow"
          look="main"
          text={isSignIn(screen) ? texts.goOn : texts.allow}
        />
        <Button name="decision" value="deny" text={isSignIn(screen) ? cancel : texts.deny} />
      </Form>
      <p class="quiet">
        {`${texts.takeBack} `}
        <a href={signIn}>{texts.anotherAccount}</a>
      </p>
    </Card>
  );
}

/** The app's own pages, opened in a new tab, so that the question stays open. */
function AppLinks({ homepage, privacy }: Pick<ConsentScreen, 'homepage' | 'privacy'>) {
  const texts = useTexts(authorizeTexts);
  const links = [
    { href: homepage, text: texts.homepage },
    { href: privacy, text: texts.privacy },
  ].filter(({ href }) => href !== null);
  if (links.length === 0) return null;
  return (
    <p class="quiet">
      {links.map(({ href, text }, index) => (
        <>
          {index > 0 && ' · '}
          <a href={href ?? ''} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        </>
      ))}
    </p>
  );
}

const tellsWho = new Set<string>(identityScopes);

/** Returns the page's title: an app that requests only the person's identity signs them in, and others act for them. */
export function consentTitle(locale: Locale, screen: ConsentScreen): string {
  const { title, signInTo } = authorizeTexts[locale];
  return isSignIn(screen) ? fill(signInTo, { app: screen.app }) : title;
}

function isSignIn({ scopes }: ConsentScreen): boolean {
  return scopes.every((scope) => tellsWho.has(scope));
}

/** Lets the person leave a sign-in that an app has requested. */
export function CancelForm({ request }: { request: string }) {
  return (
    <Form action={authorizeEndpoints.authorize.path} hidden={{ request }}>
      <Button name="decision" value="deny" full text={useTexts(authorizeTexts).backToApp} />
    </Form>
  );
}
