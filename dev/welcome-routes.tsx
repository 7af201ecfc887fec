import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { listCredentials } from '../src/features/credential/credential.ts';
import { readReturnTo } from '../src/features/idp/return-to.ts';
import { sessionOf } from '../src/features/session/access-token.ts';
import { readActor, requireMember } from '../src/features/session/require-session.ts';
import { sendJson } from '../src/http/answer.ts';
import { type AppEnv, isNavigation } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { renderPage } from '../src/ui/page.tsx';
import { addDemoCredential } from './demo.ts';
import { WelcomePage } from './welcome.tsx';
import { welcomeScript } from './welcome-script.ts';

/** `/dev/welcome`: a small API client, the default target of sign-ins without CLIENT_SUCCESS_URL. */
export function welcomeRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Routes();

  routes.get('/dev/welcome', async (c) => {
    const actor = await readActor(c, deps);
    const options = { title: 'Welcome', wide: true, developer: true, script: welcomeScript };
    return renderPage(
      c,
      deps,
      options,
      <WelcomePage
        session={actor && sessionOf(deps, actor)}
        credentials={actor ? await listCredentials(deps, actor.handle) : []}
        mustClaim={c.req.query('claim') === '1'}
        returnTo={readReturnTo(deps, c.req.query('returnTo'))}
      />,
    );
  });

  /** Adds a credential that the signed-in person can unlink. */
  routes.post('/dev/credentials', requireMember(deps), async (c) => {
    const added = await addDemoCredential(deps, c.get('actor'));
    return isNavigation(c) ? c.redirect('/dev/welcome', 303) : sendJson(c, added);
  });

  return routes;
}
