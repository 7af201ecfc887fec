import type { Core } from './core.ts';
import { isApiError, type Result } from './errors.ts';

/**
 * Asks the service for the address of a redirect and goes there. Answers only when that failed, or when the person
 * came back to this very page by the browser's back button.
 */
export async function navigate(core: Core, asked: Promise<Result<{ url: string }>>): Promise<Result<never>> {
  const answer = await asked;
  if (isApiError(answer)) return answer;
  return new Promise((resolve) => {
    // A page that is still loading is shown, too; only one that was kept has been left.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) resolve({ statusCode: 0, message: 'The sign-in was left' });
    });
    location.assign(new URL(answer.url, core.baseUrl));
  });
}

/**
 * A path of this app: no scheme, no other host, not even once its dots are resolved. What comes from an address
 * bar may be anybody's.
 */
export function localPath(text: string | null): string | null {
  if (!text || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return null;
  return new URL(text, 'http://a').pathname.startsWith('//') ? null : text;
}
