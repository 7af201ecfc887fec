import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, install, type McpStage, openMcpStage, signIn } from '../support/mcp-stage.ts';
import { freePort, type RunningProcess, runProcess } from '../support/processes.ts';

const source = join(import.meta.dirname, '../../examples/mcp-server');

let stage: McpStage;
/** The reason why the packages of the example cannot be installed. */
let missing: string | null;

beforeAll(async () => {
  stage = await openMcpStage();
  await cp(source, stage.folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  missing = await install(stage.folder, `${stage.issuer}/sdk/peridot-sdk.tgz`);
}, 300_000);
afterAll(() => stage?.close());

/** Registers the app that owns the MCP server, as docs/mcp.md describes. */
async function register(): Promise<string> {
  const { page, issuer } = stage;
  await signIn(stage, 'dewi.anggraini');
  await page.goto(`${issuer}/developers/register`);
  await page.getByLabel('Name', { exact: true }).fill('Greetings');
  await page.getByLabel('Address', { exact: true }).fill('http://localhost:9/unused');
  await page.getByRole('button', { name: 'Register an app' }).click();
  await page.locator('#secret').waitFor();
  return /app_\w+/.exec(page.url())?.[0] ?? '';
}

/** Registers the MCP server's address as the app's resource. */
async function registerResource(app: string, resource: string): Promise<number> {
  return stage.page.evaluate(
    async ([path, body]) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body })).status;
    },
    [`/v1/apps/${app}/resources`, JSON.stringify({ resource })] as const,
  );
}

/** The addresses that the client has asked a person to open. */
const opened = ({ lines }: RunningProcess) =>
  [...lines.join('').matchAll(/^OPEN (.+)$/gm)].map(([, url = '']) => url);

describe('the MCP server from docs/mcp.md', () => {
  it('serves an unregistered client after one consent and one step-up [PR-04]', async ({ skip }) => {
    if (missing !== null) skip(`the packages of the example cannot be installed: ${missing}`);
    const [port, clientPort] = [await freePort(), await freePort()];
    const app = await register();
    const mcp = `http://localhost:${port}/mcp`;
    const isUp = async () => (await fetch(mcp)).status === 405;
    const env = { APP_ID: app, PORT: `${port}`, PID_URL: stage.issuer };
    const start = ['npm', 'start', '--silent'];
    const server = await runProcess(start, { cwd: stage.folder, env }, isUp);
    expect(await registerResource(app, mcp)).toBe(200);
    const bare = await fetch(mcp, { method: 'POST', body: '{}' });
    expect([bare.status, bare.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer scope="openid", resource_metadata="http://localhost:${port}/.well-known/oauth-protected-resource/mcp"`,
    ]);
    const called = { MCP_URL: mcp, PORT: `${clientPort}` };
    const client = await runProcess(
      ['node', 'client.ts'],
      { cwd: stage.folder, env: called },
      async () => true,
    );
    try {
      await expect.poll(() => opened(client), { timeout: 20_000 }).toHaveLength(1);
      const first = await allow(stage, opened(client)[0] ?? '');
      expect(first).toContain('This app is not registered here');
      expect(first).toContain(`127.0.0.1:${clientPort}`);
      expect(first).toContain('It calls itself “Greeter”.');
      expect(first).toContain(`http://localhost:${port}`);
      await expect.poll(() => opened(client), { timeout: 20_000 }).toHaveLength(2);
      const [, stepUp = ''] = opened(client);
      expect(new URL(stepUp).searchParams.get('scope')).toBe('openid profile');
      await allow(stage, stepUp);
      await expect
        .poll(() => client.lines.join(''), { timeout: 20_000 })
        .toContain('Hello, dewi.anggraini@pid');
      const said = client.lines.join('');
      expect(said).toContain(`dewi.anggraini@pid by http://127.0.0.1:${clientPort}/client.json`);
      expect(said).toMatch(/^whoami: .* with openid$/m);
      expect(said).toMatch(/^greet: .* with openid profile$/m);
    } finally {
      await client.stop().catch(() => {});
      await server.stop();
    }
  });
});
