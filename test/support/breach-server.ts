import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server reports it as leaked, in every response. */
export const breachedPassword = 'kopi pahit bikin melek malam';
/** On a padding line, whose count is zero. */
export const paddedPassword = 'merpati hijau naik kereta';

/**
 * Imitates a service that looks up leaked passwords by the first five characters of their digest. `/ok` works, `/slow`
 * never responds, `/500` returns an error, and `/large` returns an oversized response. `/seen` lists the requests it
 * received.
 */
export async function startBreachServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const seen: { path: string; padding: string | null }[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [, mode, prefix = ''] = pathname.split('/');
    if (mode === 'seen') return void response.end(JSON.stringify(seen));
    seen.push({ path: pathname, padding: request.headers['add-padding']?.toString() ?? null });
    if (mode === 'slow') return;
    if (mode === '500') response.statusCode = 500;
    if (mode === 'large') response.write(`${'0'.repeat(35)}:0\r\n`.repeat(50_000));
    const lines = [
      ...rangeLine(breachedPassword, prefix, 12),
      ...rangeLine(paddedPassword, prefix, 0),
      `${'0'.repeat(35)}:3`,
    ];
    response.end(lines.join('\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => stop(server),
  };
}

function rangeLine(password: string, prefix: string, count: number): string[] {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  return digest.startsWith(prefix) ? [`${digest.slice(5)}:${count}`] : [];
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
