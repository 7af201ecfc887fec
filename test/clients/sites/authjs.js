/** A website that signs people in with Auth.js. */
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';

const { PORT, ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env;

const config = {
  secret: 'only for this test, and long enough',
  trustHost: true,
  providers: [
    {
      id: 'pid',
      name: 'PID',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      checks: ['pkce', 'state', 'nonce'],
      // Takes the profile from userinfo, after it has verified the ID token.
      idToken: false,
    },
  ],
  callbacks: {
    jwt: ({ token, account, profile }) => (account ? { ...token, profile, scope: account.scope } : token),
    session: ({ session, token }) => ({ ...session, profile: token.profile, scope: token.scope }),
  },
};

const app = express();
app.use('/auth', ExpressAuth(config));
app.get('/', async (request, response) => {
  response.json(await getSession(request, { ...config, basePath: '/auth' }));
});
app.listen(PORT, '127.0.0.1');
