import type { Core } from './context.ts';

/**
 * Says so when the service is reachable although a request got no response: browsers hide a response without CORS
 * headers, which is what a page gets that the service does not know.
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
