/**
 * Five concurrent sign-ins store their targets in cookies, whose header must stay below the 8 kB that proxies accept.
 */
export const maxReturnToLength = 512;

/** The error text for any other `returnTo`. */
export const returnToMessage =
  'returnTo must be a path such as /settings, or an address on an allowed origin';
