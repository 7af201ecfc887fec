import type { Core } from './core.ts';
import { isApiError, type Result } from './errors.ts';

/**
 * Goes to the address that the service gives for a redirect. Resolves only if that fails, or if the browser's back
 * button restores this page.
 */
export async function navigate(core: Core, asked: Promise<Result<{ url: string }>>): Promise<Result<never>> {
  const answer = await asked;
  if (isApiError(answer)) return answer;
  return new Promise((resolve) => {
    // The event also fires while a page loads. Only a page from the back/forward cache has been left.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) resolve({ statusCode: 0, message: 'The sign-in was left' });
    });
    location.assign(new URL(answer.url, core.baseUrl));
  });
}

/**
 * The text if it is a path of this app. It comes from the address bar, so anybody may have written it: no scheme, and
 * no other host, even after its dot segments are resolved.
 */
export function localPath(text: string | null): string | null {
  if (!text || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return null;
  return new URL(text, 'http://a').pathname.startsWith('//') ? null : text;
}
