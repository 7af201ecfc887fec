import type { Core, RedirectApi } from './context.ts';
import type { Result } from './errors.ts';

/** This file imports only types, so it loads in one request. */
export function createRedirect({ send, call, baseUrl }: Core): RedirectApi {
  /** Goes to the address that the service gives for the redirect. */
  async function navigate(asked: Promise<Result<{ url: string }>>): Promise<Result<never>> {
    const answer = await asked;
    if ('statusCode' in answer) return answer;
    return new Promise((resolve) => {
      // The event also fires while a page loads. Only a page from the back/forward cache has been left.
      window.addEventListener('pageshow', ({ persisted }) => {
        if (persisted) resolve({ statusCode: 0, message: 'The sign-in was left', code: 'left' });
      });
      location.assign(new URL(answer.url, baseUrl));
    });
  }

  return {
    login: (options = {}) => navigate(send('/v1/auth/login', { method: 'POST', body: options })),
    link: (provider, options) =>
      navigate(call('/v1/credentials/link', { method: 'POST', body: { provider, ...options } })),
  };
}
