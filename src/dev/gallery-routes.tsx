import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { renderPage } from '../ui/page.tsx';
import { GalleryPage } from './gallery.tsx';
import { pageStates } from './states.tsx';

/** The gallery of the hosted pages, to look at, test and photograph. */
export function galleryRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  routes.get('/dev/pages', (c) =>
    renderPage(c, deps, { title: 'Pages', wide: true, developer: true }, <GalleryPage />),
  );

  /** One state, with its page's headers and frame; always 200. */
  routes.get('/dev/pages/:state', (c) => {
    const name = c.req.param('state');
    const state = Object.hasOwn(pageStates, name) ? pageStates[name] : undefined;
    if (state === undefined) throw new AppError('not_found');
    return renderPage(c, deps, { title: name, ...state.options }, state.body(deps.now()));
  });

  return routes;
}
