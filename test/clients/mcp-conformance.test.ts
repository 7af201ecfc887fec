import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../support/mail-servers.ts';
import { allow, install, type McpStage, openMcpStage, signIn } from '../support/mcp-stage.ts';
import { freePort, runProcess } from '../support/processes.ts';

/** The first versions with the command `authorization` are previews. */
const runner = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

let stage: McpStage;
/** The reason why the runner cannot be installed. */
let missing: string | null;

beforeAll(async () => {
  stage = await openMcpStage();
  missing = await install(stage.folder, runner);
}, 300_000);
afterAll(() => stage?.close());

/** Serves the document by which the runner's client identifies itself. */
async function serveDocument() {
  const server = createServer(({ url, headers }, response) => {
    const document = {
      client_id: `http://${headers.host}${url}`,
      client_name: 'MCP conformance',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(document));
  });
  const port = await listen(server);
  return { id: `http://127.0.0.1:${port}/client.json`, stop: () => server.close() };
}

it('the MCP conformance runner passes all its scenarios for authorization servers, with an unregistered client [PR-04]', async ({
  skip,
}) => {
  if (missing !== null) skip(`the runner cannot be installed: ${missing}`);
  await signIn(stage, 'dewi.anggraini');
  const document = await serveDocument();
  const port = await freePort();
  const command = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const chosen = ['--url', stage.issuer, '--client-id', document.id, '--port', `${port}`];
  const args = ['node', command, 'authorization', ...chosen, '--resource', `${stage.issuer}/v1`];
  const ran = await runProcess(args, { cwd: stage.folder, env: {} }, async () => true);
  const said = () => ran.lines.join('');
  try {
    await expect.poll(said, { timeout: 30_000 }).toMatch(/^http\S+\/v1\/auth\/authorize\?/m);
    await allow(stage, /^http\S+\/v1\/auth\/authorize\?\S+/m.exec(said())?.[0] ?? '');
    await expect.poll(said, { timeout: 30_000 }).toContain('authorization-code-grant: 1 passed');
    expect(said()).not.toMatch(/FAILURE|WARNING|[1-9]\d* (failed|warnings)/);
  } finally {
    await ran.stop().catch(() => {});
    document.stop();
  }
});
