import { createServer } from 'node:http';
import { createClient, type InValue } from '@libsql/client';
import { exportJWK, generateKeyPair } from 'jose';
// @ts-expect-error oidc-provider ships no type declarations; the part used here is described below.
import { Provider as UntypedProvider } from 'oidc-provider';

/**
 * oidc-provider on a libSQL file, with the service's own settings: WAL, synchronous = FULL, PKCE, rotating refresh
 * tokens, RS256 ID tokens. `POST /mint` creates the rows that a person's consent would create.
 */
const port = Number(process.env['PORT']);
const issuer = `http://127.0.0.1:${port}`;
const client = createClient({ url: process.env['DATABASE_URL'] ?? 'file::memory:', concurrency: 1 });
await client.execute('PRAGMA journal_mode = WAL');
await client.execute('PRAGMA synchronous = FULL');
await client.execute(
  'CREATE TABLE models (id TEXT PRIMARY KEY NOT NULL, payload TEXT NOT NULL, grant_id TEXT, uid TEXT, consumed INTEGER, expires_at INTEGER) WITHOUT ROWID',
);
await client.execute('CREATE INDEX models_grant ON models (grant_id)');

type Payload = Record<string, unknown>;

/** The adapter described in its documentation: one table for all models. */
class LibsqlAdapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: Payload, expiresIn: number): Promise<void> {
    const values: InValue[] = [
      this.#key(id),
      JSON.stringify(payload),
      (payload['grantId'] as string | undefined) ?? null,
      (payload['uid'] as string | undefined) ?? null,
      Date.now() + expiresIn * 1000,
    ];
    await client.execute({
      sql: 'INSERT INTO models (id, payload, grant_id, uid, expires_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET payload = excluded.payload',
      args: values,
    });
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.#first('id = ?', this.#key(id));
  }

  findByUid(uid: string): Promise<Payload | undefined> {
    return this.#first('uid = ?', uid);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const sql = 'UPDATE models SET consumed = ? WHERE id = ?';
    await client.execute({ sql, args: [Math.floor(Date.now() / 1000), this.#key(id)] });
  }

  async destroy(id: string): Promise<void> {
    await client.execute({ sql: 'DELETE FROM models WHERE id = ?', args: [this.#key(id)] });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await client.execute({ sql: 'DELETE FROM models WHERE grant_id = ?', args: [grantId] });
  }

  async #first(where: string, value: string): Promise<Payload | undefined> {
    const sql = `SELECT payload, consumed FROM models WHERE ${where} AND expires_at > ?`;
    const [row] = (await client.execute({ sql, args: [value, Date.now()] })).rows;
    if (row === undefined) return undefined;
    const consumed = row['consumed'];
    return { ...JSON.parse(String(row['payload'])), ...(consumed === null ? {} : { consumed }) };
  }

  #key(id: string): string {
    return `${this.#model}:${id}`;
  }
}

interface Model {
  save(): Promise<string>;
}
type ModelClass = new (fields: object) => Model & { addOIDCScope(scope: string): void };
interface Provider {
  callback(): (request: unknown, response: unknown) => void;
  Client: { find(id: string): Promise<unknown> };
  Grant: ModelClass;
  AuthorizationCode: ModelClass;
  RefreshToken: ModelClass;
}

const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const provider: Provider = new (UntypedProvider as new (issuer: string, settings: object) => Provider)(
  issuer,
  {
    adapter: LibsqlAdapter,
    clients: [
      {
        client_id: 'shop',
        client_secret: 'only for this run',
        redirect_uris: ['https://shop.example.com/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['only for this run'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    pkce: { required: () => true },
  },
);

const verifierChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

async function mint(kind: 'code' | 'refresh', count: number): Promise<string[]> {
  const shop = await provider.Client.find('shop');
  // A refresh returns no ID token, as in our service.
  const scope = kind === 'code' ? 'openid offline_access' : 'offline_access';
  const values: string[] = [];
  while (values.length < count) {
    const accountId = `person-${values.length}`;
    const grant = new provider.Grant({ accountId, clientId: 'shop' });
    grant.addOIDCScope(scope);
    const grantId = await grant.save();
    const common = {
      accountId,
      client: shop,
      grantId,
      scope,
      gty: 'authorization_code',
      authTime: Math.floor(Date.now() / 1000),
    };
    const of =
      kind === 'code'
        ? new provider.AuthorizationCode({
            ...common,
            redirectUri: 'https://shop.example.com/callback',
            codeChallenge: verifierChallenge,
            codeChallengeMethod: 'S256',
          })
        : new provider.RefreshToken({ ...common, rotations: 0, iiat: Math.floor(Date.now() / 1000) });
    values.push(await of.save());
  }
  return values;
}

const answer = provider.callback();
createServer((request, response) => {
  const url = new URL(request.url ?? '/', issuer);
  if (url.pathname === '/healthz') response.end('ok');
  else if (url.pathname === '/mint') {
    const kind = url.searchParams.get('kind') === 'code' ? 'code' : 'refresh';
    void mint(kind, Number(url.searchParams.get('count'))).then(
      (values) => response.end(JSON.stringify(values)),
      (error) => response.writeHead(500).end(String(error)),
    );
  } else answer(request, response);
}).listen(port, '127.0.0.1');
