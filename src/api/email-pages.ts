import * as z from 'zod/mini';
import { passwordLoginInput } from '../features/email/schema.ts';
import { loginInput } from '../features/idp/schema.ts';
import { answer, type Operation } from '../http/operation.ts';
import { emailPageEndpoints } from '../pages/shared/endpoints.ts';

/** Where the pages lead in the end. */
const way = z.object({ returnTo: loginInput.shape.returnTo, popup: passwordLoginInput.shape.popup });

/** And what the link of a mail carries, which makes a browser known. */
const forgotQuery = z.object({ ...way.shape, browser: z.optional(z.string()) });

const summaries = {
  register: 'The page to register with an address and a password',
  verify: 'The page that asks for the code of a registration',
  login: 'The page to sign in by email alone',
  forgot: 'The page for a forgotten password',
  reset: 'The page that asks for the code and a new password',
} as const;

/** The pages of email and password. Their forms post to the routes of the same addresses. */
export const emailPageOperations: readonly Operation[] = (
  Object.keys(summaries) as (keyof typeof summaries)[]
).map((name) => ({
  endpoint: emailPageEndpoints[name],
  id: `show${name.charAt(0).toUpperCase()}${name.slice(1)}Page`,
  isHosted: true,
  summary: summaries[name],
  description: 'Answers browser navigations alone.',
  ...(name === 'verify' || name === 'reset' ? { reads: ['pid_email'] as const } : {}),
  query: name === 'forgot' ? forgotQuery : way,
  answers: [answer(200, 'The page.', { isPage: true })],
  errors: ['not_found'],
}));
