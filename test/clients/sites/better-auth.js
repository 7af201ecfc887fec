/** A website that signs people in with better-auth and its plugin genericOAuth. */
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';
import express from 'express';

const { PORT, ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env;

const auth = betterAuth({
  baseURL: `http://localhost:${PORT}`,
  secret: 'only for this test, and long enough',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  telemetry: { enabled: false },
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'pid',
          discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email', 'offline_access'],
          requireIdTokenVerification: true,
          postLogoutRedirectURI: '/signed-out',
        },
      ],
    }),
  ],
});

/** Sends the browser where better-auth wants it, with its cookies. */
async function follow(answer, response) {
  const { url } = await answer.json();
  response.setHeader('Set-Cookie', answer.headers.getSetCookie());
  response.redirect(url);
}

const app = express();
app.all('/api/auth/{*path}', toNodeHandler(auth));
app.get('/sign-in', async ({ headers: sent }, response) => {
  const headers = fromNodeHeaders(sent);
  const body = { provider: 'pid', callbackURL: '/', errorCallbackURL: '/failed' };
  await follow(await auth.api.signInSocial({ body, headers, asResponse: true }), response);
});
app.get('/refresh', async ({ headers: sent }, response) => {
  const headers = fromNodeHeaders(sent);
  const [account] = await auth.api.listUserAccounts({ headers });
  response.json(await auth.api.refreshToken({ body: { accountId: account.id }, headers }));
});
app.get('/sign-out', async ({ headers: sent }, response) => {
  const headers = fromNodeHeaders(sent);
  await follow(await auth.api.signOut({ body: {}, headers, asResponse: true }), response);
});
app.get('/', async ({ headers: sent }, response) => {
  const headers = fromNodeHeaders(sent);
  const session = await auth.api.getSession({ headers });
  const accounts = session && (await auth.api.listUserAccounts({ headers }));
  response.json({ user: session?.user, accounts });
});
app.listen(PORT, '127.0.0.1');
