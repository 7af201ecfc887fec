import type { Core, RedirectApi } from './context.ts';
import type { Result } from './errors.ts';

/** This file imports only types, so it loads in one request. */
export function createRedirect({ send, call, baseUrl, options: { locale } }: Core): RedirectApi {
  /** Navigates to the address returned by the service for the redirect. */
  async function navigate(
    asked: Result<{ url: string }> | Promise<Result<{ url: string }>>,
  ): Promise<Result<never>> {
    const answer = await asked;
    if ('statusCode' in answer) return answer;
    return new Promise((resolve) => {
      // The event also fires while a page loads. Only a page restored from the back/forward cache has been left.
      window.addEventListener('pageshow', ({ persisted }) => {
        if (persisted) resolve({ statusCode: 0, message: 'The sign-in was left', code: 'left' });
      });
      location.assign(new URL(answer.url, baseUrl));
    });
  }

  return {
    login({ provider, prompt, returnTo } = {}) {
      const body = { provider, prompt, returnTo: addressOf(returnTo) };
      if (provider) return navigate(send('/v1/auth/login', { method: 'POST', body }));
      const query = new URLSearchParams({ returnTo: body.returnTo });
      if (prompt) query.set('prompt', prompt);
      if (locale) query.set('ui_locales', locale);
      return navigate({ url: `/signin?${query}` });
    },
    link(provider, { returnTo } = {}) {
      const body = { provider, returnTo: addressOf(returnTo) };
      return navigate(call('/v1/credentials/link', { method: 'POST', body }));
    },
  };
}

/** Returns the return address: by default the page's own, unless it is longer than allowed. */
function addressOf(returnTo = location.href): string {
  const { href, origin } = new URL(returnTo, location.href);
  return href.length > 512 ? `${origin}/` : href;
}
