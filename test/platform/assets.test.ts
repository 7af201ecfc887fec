import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assets, readAssets } from '../../src/platform/assets.ts';
import { compressFile } from '../../src/platform/compress.ts';
import { listFiles } from '../../src/platform/list-files.ts';

describe('static files on Bun', () => {
  let folder: string;
  let assets: Assets;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-assets-'));
    const blocks = [
      '# a comment',
      '/docs',
      "  Content-Security-Policy: default-src 'none'; a: b",
      '  X-One: 1',
    ];
    const ofFolder = ['/kept/1.0.0/*', '  X-Kept: long'];
    const lines = [...blocks, '', '/data.json', '  X-Two: 2', '', ...ofFolder, ''];
    await writeFile(join(folder, '_headers'), lines.join('\n'));
    await mkdir(join(folder, 'kept/1.0.0'), { recursive: true });
    await writeFile(join(folder, 'kept/1.0.0/archive.tgz'), new Uint8Array([0x1f, 0x8b, 0xff, 0x00]));
    await writeFile(join(folder, 'kept/1.0.0/types.d.ts'), '');
    await writeFile(join(folder, 'kept/unlisted.json'), '{}');
    await writeFile(join(folder, 'docs.html'), '<p>é</p>');
    await writeFile(join(folder, 'data.json'), '{}');
    await writeFile(join(folder, 'unlisted.html'), 'secret');
    assets = readAssets(listFiles(folder), (name) => {
      return new Uint8Array(readFileSync(join(folder, name)));
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const ask = async (path: string, init?: RequestInit) =>
    await assets(new Request(`http://localhost${path}`, init));

  it('are served without .html in their path, with only their block’s headers', async () => {
    const page = await ask('/docs?query=1');
    expect([page?.status, await page?.text()]).toEqual([200, '<p>é</p>']);
    expect(page?.headers.get('Content-Security-Policy')).toBe("default-src 'none'; a: b");
    expect(page?.headers.get('X-One')).toBe('1');
    expect(page?.headers.get('X-Two')).toBeNull();
    expect(page?.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect((await ask('/data.json'))?.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    for (const origin of ['https://pid.example.com', 'http://a'])
      expect((await assets(new Request(`${origin}/docs`)))?.status).toBe(200);
  });

  it('have the headers of their folder if it has a block', async () => {
    const archive = await ask('/kept/1.0.0/archive.tgz');
    expect(archive?.headers.get('X-Kept')).toBe('long');
    expect(archive?.headers.get('Content-Type')).toBe('application/gzip');
    expect([...new Uint8Array((await archive?.arrayBuffer()) ?? [])]).toEqual([0x1f, 0x8b, 0xff, 0x00]);
    expect((await ask('/kept/1.0.0/types.d.ts'))?.headers.get('Content-Type')).toBe(
      'text/plain; charset=utf-8',
    );
    const others = ['/kept/', '/kept', '/kept/1.0.0', '/kept/1.0.0/', '/kept/1.0.0/*', '/kept/unlisted.json'];
    for (const path of [...others, '/kept/1.0.0/none.js', '/kept/%31.0.0/archive.tgz'])
      expect(await ask(path), path).toBeNull();
  });

  it('include brand pictures, whose SVGs cannot run scripts', async () => {
    const rules = await readFile(join(import.meta.dirname, '../../public/_headers'));
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const pictures = readAssets(
      ['_headers', 'brand/logo.svg', 'brand/logo.png'],
      (name) => new Uint8Array(name === '_headers' ? rules : Buffer.from(svg)),
    );
    for (const [path, type] of [
      ['/brand/logo.svg', 'image/svg+xml; charset=utf-8'],
      ['/brand/logo.png', 'image/png'],
    ]) {
      const answer = await pictures(new Request(`http://localhost${path}`));
      expect([answer?.status, answer?.headers.get('Content-Type')]).toEqual([200, type]);
      expect(answer?.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer?.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.*; sandbox$/);
    }
  });

  it('are sent in the client’s preferred encoding, each with a separate entity tag', async () => {
    const text = 'the same words again. '.repeat(200);
    const packed = readAssets(
      ['_headers', 'docs.html', 'kept/1.0.0/archive.tgz'],
      (name) =>
        new TextEncoder().encode(name === '_headers' ? '/docs\n  X-One: 1\n/kept/1.0.0/*\n  X: 1\n' : text),
      compressFile,
    );
    const get = async (path: string, headers: Record<string, string>, method = 'GET') =>
      (await packed(new Request(`http://localhost${path}`, { method, headers }))) ?? Response.error();
    const tags = new Set<string | null>();
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['GZIP;q=0.5', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['br;q=0', null, (body: Buffer) => body],
      ['zstd', null, (body: Buffer) => body],
      ['', null, (body: Buffer) => body],
    ] as const) {
      const headers = { 'Accept-Encoding': accepted };
      const answer = await get('/docs', headers);
      expect([accepted, answer.headers.get('Content-Encoding')]).toEqual([accepted, encoding]);
      expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
      const body = Buffer.from(await answer.arrayBuffer());
      expect(unpack(body).toString()).toBe(text);
      expect(body.length < text.length / 10).toBe(encoding !== null);
      const etag = answer.headers.get('ETag') ?? '';
      tags.add(etag);
      expect((await get('/docs', { ...headers, 'If-None-Match': etag })).status).toBe(304);
      expect((await get('/docs', headers, 'HEAD')).headers.get('ETag')).toBe(etag);
    }
    expect(tags.size).toBe(3);
    const archive = await get('/kept/1.0.0/archive.tgz', { 'Accept-Encoding': 'br' });
    expect([archive.headers.get('Content-Encoding'), archive.headers.get('Vary')]).toEqual([null, null]);
  });

  it('are only those listed in _headers, under their exact path', async () => {
    const others = [
      '/',
      '/docs.html',
      '/docs/',
      '/Docs',
      '/%64ocs',
      '/unlisted',
      '/unlisted.html',
      '/_headers',
    ];
    for (const path of [...others, '/../docs.html', '//docs']) expect(await ask(path), path).toBeNull();
  });

  it('are not sent again to a client that already has them', async () => {
    const tag = (await ask('/docs'))?.headers.get('ETag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await ask('/docs', { headers: { 'If-None-Match': known } });
      expect([known, answer?.status, answer?.headers.get('ETag')]).toEqual([known, 304, tag]);
    }
    expect((await ask('/docs', { headers: { 'If-None-Match': '"other"' } }))?.status).toBe(200);
    expect((await ask('/data.json', { headers: { 'If-None-Match': tag } }))?.status).toBe(200);
  });

  it('are served only for GET and HEAD, without a body for HEAD', async () => {
    const head = await ask('/docs', { method: 'HEAD' });
    expect([head?.status, await head?.text()]).toEqual([200, '']);
    const posted = await ask('/docs', { method: 'POST' });
    expect([posted?.status, posted?.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });
});
