/** A website that signs people in with passport-openidconnect, as its README describes. */
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-openidconnect';

const { PORT, ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env;

const options = {
  issuer: ISSUER,
  authorizationURL: `${ISSUER}/v1/auth/authorize`,
  tokenURL: `${ISSUER}/v1/auth/token`,
  userInfoURL: `${ISSUER}/v1/auth/userinfo`,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  callbackURL: `http://localhost:${PORT}/callback`,
  scope: ['profile', 'email'],
  // The strategy cannot do PKCE, and sends a nonce only with this.
  nonce: 'true',
};
passport.use(
  // The strategy fetches userinfo only for a function with nine parameters.
  new Strategy(options, (issuer, userinfo, claims, _context, _idToken, _access, _refresh, _params, done) =>
    done(null, { issuer, userinfo: userinfo._json, claims }),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: 'only for this test', resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get('/sign-in', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/' }));
app.get('/', (request, response) => void response.json(request.user ?? null));
app.listen(PORT, '127.0.0.1');
