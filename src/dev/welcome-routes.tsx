import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { listCredentials } from '../features/credential/credential.ts';
import { readReturnTo } from '../features/idp/return-to.ts';
import { sessionOf } from '../features/session/access-token.ts';
import { readActor, requireMember } from '../features/session/require-session.ts';
import { sendJson } from '../http/answer.ts';
import { type AppEnv, isNavigation } from '../http/context.ts';
import { renderPage } from '../ui/page.tsx';
import { addDemoCredential } from './demo.ts';
import { WelcomePage } from './welcome.tsx';
import { welcomeScript } from './welcome-script.ts';

/** `/dev/welcome`: a small client of the API, where sign-ins end unless CLIENT_SUCCESS_URL says otherwise. */
export function welcomeRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

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

  /** Adds a credential to the signed-in person, so that there is one to unlink. */
  routes.post('/dev/credentials', requireMember(deps), async (c) => {
    const added = await addDemoCredential(deps, c.get('actor'));
    return isNavigation(c) ? c.redirect('/dev/welcome', 303) : sendJson(c, added);
  });

  return routes;
}
