import { localeNames } from '../src/http/context.ts';
import { pageStates } from './states.tsx';

const themes = ['light', 'dark'] as const;

/** `/dev/pages`: every state of every page, in both themes and languages. */
export function GalleryPage() {
  return (
    <>
      <h1>Pages</h1>
      <p class="quiet">
        Every state of every hosted page, from sample data. No state needs a database or a sign-in.
      </p>
      <section class="card">
        <ul class="plain">
          {Object.keys(pageStates).map((name) => (
            <li class="spread">
              <a href={`/dev/pages/${name}`} data-state={name}>
                {name}
              </a>
              <span class="row quiet">
                {themes.flatMap((theme) =>
                  Object.keys(localeNames).map((locale) => (
                    <a href={`/dev/pages/${name}?${new URLSearchParams({ theme, ui_locales: locale })}`}>
                      {`${theme} ${locale}`}
                    </a>
                  )),
                )}
                <a href={`/dev/pages/${name}?brand=second`}>second brand</a>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
