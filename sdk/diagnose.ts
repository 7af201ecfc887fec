import type { Core } from './context.ts';

/**
 * Warns if the service is reachable although a request got no response. Browsers hide responses without CORS headers,
 * which the service sends only to known origins.
 */
export async function diagnose({ baseUrl, warn }: Core): Promise<void> {
  try {
    await fetch(baseUrl, { mode: 'no-cors' });
  } catch {
    return;
  }
  const { origin } = location;
  warn(
    'origin_not_allowed',
    `${baseUrl} is reachable, but the browser hides its responses. Add ${origin} to its ALLOWED_ORIGINS`,
  );
}
