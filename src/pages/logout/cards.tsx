import { originOfRedirect } from '../../features/oauth/authorize/redirect-uri.ts';
import type { LogoutRequest } from '../../features/oauth/logout/logout-request.ts';
import { pidOf } from '../../lib/id.ts';
import { accountPaths, signInPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { Person } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { logoutTexts } from '../messages/sign-in.ts';

interface ConfirmProps {
  readonly request: LogoutRequest;
  /** The request's parameters. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly action: string;
}

/** Asks whether the person wants to sign out, because a request alone does not show it. */
export function ConfirmCard({ request, hidden, action }: ConfirmProps) {
  const texts = useTexts(logoutTexts);
  const { app, handle, returnTo, isStrayed } = request;
  const pid = pidOf(present(handle, 'the person who signs out'));
  return (
    <Card title={texts.title}>
      <div class="person">
        <Person name={pid} detail={app === null ? texts.asked : fill(texts.askedBy, { app })} />
      </div>
      <p>{texts.effect}</p>
      {isStrayed && <Notice kind="warning" text={texts.strayed} />}
      {returnTo !== null && <p class="lead">{fill(texts.leadsTo, { origin: originOfRedirect(returnTo) })}</p>}
      <Form action={action} hidden={hidden} class="act">
        <Button name="confirm" value="yes" look="main" text={texts.signOut} />
        <a class="button" href={accountPaths.home}>
          {texts.stay}
        </a>
      </Form>
    </Card>
  );
}

/** Nothing here redirects automatically, because a stranger may have sent the browser. */
export function SignedOutCard({ returnTo }: Pick<LogoutRequest, 'returnTo'>) {
  const texts = useTexts(logoutTexts);
  return (
    <Card title={texts.done}>
      <p class="lead">{texts.doneText}</p>
      {returnTo === null ? (
        <a class="button full" href={signInPath}>
          {texts.signIn}
        </a>
      ) : (
        <a class="button full" href={returnTo}>
          {fill(texts.goTo, { origin: originOfRedirect(returnTo) })}
        </a>
      )}
    </Card>
  );
}
