import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import type { AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { renderPage } from '../src/ui/page.tsx';
import { GalleryPage } from './gallery.tsx';
import { inSecondBrand } from './second-brand.ts';
import { pageStates } from './states.tsx';

/** A gallery of the hosted pages for viewing, tests and screenshots. */
export function galleryRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Routes();
  const branded = inSecondBrand(deps);

  routes.get('/dev/pages', (c) =>
    renderPage(c, deps, { title: 'Pages', wide: true, developer: true }, <GalleryPage />),
  );

  /** One state with the headers and frame of its page; always 200. `brand=second` uses the second brand. */
  routes.get('/dev/pages/:state', (c) => {
    const name = c.req.param('state');
    const state = Object.hasOwn(pageStates, name) ? pageStates[name] : undefined;
    if (state === undefined) throw new AppError('not_found');
    const shown = c.req.query('brand') === 'second' ? branded : deps;
    return renderPage(c, shown, { title: name, ...state.options }, state.body(deps.now()));
  });

  return routes;
}
