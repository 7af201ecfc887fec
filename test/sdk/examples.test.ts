import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'peridot-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const strictest = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['react'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUncheckedSideEffectImports: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noPropertyAccessFromIndexSignature: true,
    allowUnreachableCode: false,
    allowUnusedLabels: false,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
  },
  include: ['*.ts', '*.tsx'],
};

/** Names that the examples take from their page. */
const around = `
declare const pid: import('peridot-sdk').PidClient;
declare const hello: HTMLElement;
declare const signIn: HTMLButtonElement;
declare const buy: HTMLButtonElement;
declare const passkey: HTMLButtonElement;
declare const confirmButton: HTMLButtonElement;
declare const request: Request;
declare const rendered: import('peridot-sdk').Session | null;
declare const baseUrl: string, address: string, password: string, code: string, handle: string, appId: string, inquiryId: string;
declare const process: { env: Record<string, string | undefined> };
declare const env: {
  PID_URL: string;
  PID: { fetch(url: string, init: RequestInit): Promise<Response> };
};
declare function markAsPaid(data: unknown): void;
type Buffer = Uint8Array;
declare module 'vue' {
  export function onScopeDispose(end: () => void): void;
  export function shallowRef<T>(value: T): { value: T };
}
`;

/**
 * Code blocks that run elsewhere: recipes with a `// path` in recipes.test.ts, Express in the browser tests, openapi-fetch in
 * openapi-client.test.ts. `oidcProvider` is the service's own code.
 */
const elsewhere = /^\/\/ \S+\.tsx?\n|from '(express|openapi-fetch)'|= oidcProvider\(/m;

/** A guide's code without its reference; an example may omit imports from the package. */
function examplesOf(file: string): { name: string; code: string }[] {
  const [guide = ''] = readFileSync(join(root, file), 'utf8').split('\n## Exports\n');
  return [...guide.matchAll(/^ *```(tsx?)\n(.*?)^ *```/gms)]
    .map(([, kind, code = ''], index) => ({ name: `${file.replace(/\W/g, '-')}-${index}.${kind}`, code }))
    .filter(({ code }) => !elsewhere.test(code));
}

function withImports(code: string): string {
  const names = ['createClient', 'isApiError', 'isPopupError', 'verifySession'].filter(
    (name) => code.includes(`${name}(`) && !new RegExp(`import .*\\b${name}\\b`).test(code),
  );
  const imports = names.map(
    (name) => `import { ${name} } from 'peridot-sdk${name === 'verifySession' ? '/server' : ''}';\n`,
  );
  return `${imports.join('')}${code}\nexport {};\n`;
}

/** Packages that the examples import besides ours. */
const packages = ['react', '@types/react', 'csstype', 'hono', 'jose', 'standardwebhooks'];

const inFolder = (path: string) => join(folder, path);

beforeAll(async () => {
  mkdirSync(inFolder('node_modules/peridot-sdk'), { recursive: true });
  const archive = join(root, 'public/sdk/peridot-sdk.tgz');
  await run('tar', ['-xzf', archive, '-C', inFolder('node_modules/peridot-sdk'), '--strip-components=1']);
  for (const name of packages) {
    mkdirSync(dirname(inFolder(`node_modules/${name}`)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), inFolder(`node_modules/${name}`));
  }
  writeFileSync(inFolder('tsconfig.json'), JSON.stringify(strictest));
  writeFileSync(inFolder('around.d.ts'), around);
});

/** Returns the compiler's messages about the files in the folder. */
async function compile(): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

describe('the compiler with the strictest settings', () => {
  it('accepts the code blocks in the README and all guides, and a script with the global', async () => {
    const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const examples = ['README.md', ...guides.map((name) => `docs/${name}`)].flatMap(examplesOf);
    expect(examples.length).toBeGreaterThan(16);
    for (const { name, code } of examples) writeFileSync(inFolder(name), withImports(code));
    writeFileSync(
      inFolder('global.ts'),
      `import type {} from 'peridot-sdk/global';
      const error: unknown = null;
      export const isBlocked: boolean = Pid.isPopupError(error, 'popup_blocked') && error.reason === 'browser';`,
    );
    expect(await compile()).toBe('');
  });

  it('rejects incorrect use, and finds no internals in the package', async () => {
    writeFileSync(
      inFolder('wrong.ts'),
      "void pid.auth.loginWithPopup({ provider: 'facebook' });\nexport {};\n",
    );
    writeFileSync(
      inFolder('internal.ts'),
      "import type { createCore } from 'peridot-sdk';\nimport type {} from 'peridot-sdk/core';\nexport {};\n",
    );
    const said = await compile();
    expect(said).toContain('wrong.ts(1');
    expect(said).toContain('internal.ts(1');
    expect(said).toContain('internal.ts(2');
    expect(said.match(/error TS/g)).toHaveLength(3);
  });
});
