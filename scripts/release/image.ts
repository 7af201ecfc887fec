import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { type Entry, tarOf } from '../archive.ts';
import { type Architecture, fetchBun, machines } from './bun-binary.ts';

/** The libraries that Bun's binary loads, as listed by `ldd`. */
const libraries = ['libc.so.6', 'libm.so.6', 'libpthread.so.0', 'libdl.so.2'];

/** The user that owns the process and the volume. */
const user = 65_532;

const health = "process.exit((await fetch('http://127.0.0.1:' + process.env.PORT + '/readyz')).ok ? 0 : 1)";

/**
 * Starts the service, unless the database would be lost with the container. A folder is a volume if it, or a parent
 * folder, has been mounted.
 */
const start = `import { readFileSync } from 'node:fs';
const path = (process.env.DATABASE_URL ?? '').replace(/^file:(\\/\\/)?/, '');
const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\\n').map((line) => line.split(' ')[4] ?? '');
if (path.startsWith('/') && !mounts.some((mount) => mount.length > 1 && path.startsWith(mount + '/'))) {
  process.stderr.write('DATABASE_URL: ' + path + ' is on no volume. Mount one, such as --volume data:/data.\\n');
  process.exit(1);
}
await import('./bun.js');
`;

const environment = {
  PATH: '/bin',
  ENVIRONMENT: 'production',
  HOST: '0.0.0.0',
  PORT: '8787',
  DATABASE_URL: 'file:/data/peridot.db',
  KV_URL: 'file:/data/kv.db',
};

const seconds = 1_000_000_000;

export interface BuiltImage {
  /** An OCI image layout (image-spec 1.1) as a tar archive, which `docker load` and `skopeo` read. */
  readonly archive: Buffer;
  /** The layers unpacked, in order. */
  readonly layers: readonly Buffer[];
  /** The image's configuration, for starting it without a container runtime. */
  readonly config: typeof runConfig;
}

const runConfig = {
  User: `${user}:${user}`,
  Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  Cmd: ['/bin/bun', '/peridot/src/start.js'],
  WorkingDir: '/peridot',
  ExposedPorts: { '8787/tcp': {} },
  // Known to Docker; the OCI specification has no health check.
  Healthcheck: { Test: ['CMD', '/bin/bun', '-e', health], Interval: 10 * seconds, StartPeriod: 20 * seconds },
};

/**
 * Builds the image of one architecture: Bun and the C library in one layer, the service in another. The image has no
 * shell, and its files belong to root.
 * @param service the service's folder
 * @throws Error if the C library for the architecture is not installed
 */
export function buildImage(
  architecture: Architecture,
  service: ReadonlyMap<string, Buffer>,
  version: string,
): BuiltImage {
  const app = [...service].map(([name, content]) => ({ name: `peridot/${name}`, content }));
  const started = { name: 'peridot/src/start.js', content: Buffer.from(start) };
  const layers = [tarOf(withFolders(runtime(architecture))), tarOf(withFolders([...app, started]))];
  const packed = layers.map((layer) =>
    zstdCompressSync(layer, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  );
  const config = json({
    architecture,
    os: 'linux',
    config: { ...runConfig, Labels: { 'org.opencontainers.image.version': version } },
    rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: described('application/vnd.oci.image.config.v1+json', config),
    layers: packed.map((layer) => described('application/vnd.oci.image.layer.v1.tar+zstd', layer)),
  });
  const index = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...described('application/vnd.oci.image.manifest.v1+json', manifest),
        platform: { architecture, os: 'linux' },
        annotations: {
          'io.containerd.image.name': `docker.io/library/peridot:${version}`,
          'org.opencontainers.image.ref.name': version,
        },
      },
    ],
  });
  const blobs = [config, manifest, ...packed].map((content) => ({
    name: `blobs/sha256/${digestOf(content).slice('sha256:'.length)}`,
    content,
  }));
  const layout = { name: 'oci-layout', content: json({ imageLayoutVersion: '1.0.0' }) };
  return {
    archive: tarOf([layout, { name: 'index.json', content: index }, ...blobs]),
    layers,
    config: runConfig,
  };
}

function runtime(architecture: Architecture): Entry[] {
  const { loader, libraries: folders, debian } = machines[architecture];
  const folder = folders.find((each) => existsSync(join(each, 'libc.so.6')));
  if (folder === undefined)
    throw new Error(`The image for ${architecture} needs its C library: apt-get install ${debian}`);
  const file = (name: string, from: string) => ({ name, content: readFileSync(from), mode: 0o755 });
  return [
    { name: 'bin/bun', content: fetchBun(architecture), mode: 0o755 },
    { name: 'etc/passwd', content: Buffer.from(`peridot:x:${user}:${user}::/data:/sbin/nologin\n`) },
    { name: 'etc/nsswitch.conf', content: Buffer.from('hosts: files dns\n') },
    file(loader, join(folder, basename(loader))),
    ...libraries.map((name) => file(`lib/${name}`, join(folder, name))),
    { name: 'data/', mode: 0o700, owner: user },
    { name: 'tmp/', mode: 0o1777 },
    ...['dev/', 'proc/'].map((name) => ({ name })),
  ];
}

/** The entries by name, each after its parent folders. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const known = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name } of entries)
    for (let end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
      const folder = name.slice(0, end + 1);
      if (!known.has(folder)) known.set(folder, { name: folder });
    }
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function json(content: unknown): Buffer {
  return Buffer.from(JSON.stringify(content));
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function described(mediaType: string, content: Buffer) {
  return { mediaType, digest: digestOf(content), size: content.length };
}
