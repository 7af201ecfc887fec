/** A parsed Set-Cookie header. Missing attributes are undefined or false. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAge: number | undefined;
  readonly path: string | undefined;
  readonly domain: string | undefined;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: string | undefined;
}

/** The cookies that a response sets or clears, in order. */
export function setCookies(answer: Response): SetCookie[] {
  return answer.headers.getSetCookie().map(parse);
}

/** The value of the only cookie with this name that a response sets, or null; clearing it is treated as none. */
export function valueSet(answer: Response, name: string): string | null {
  return setCookies(answer).find((cookie) => cookie.name === name && cookie.value !== '')?.value ?? null;
}

function parse(line: string): SetCookie {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name, value] = halves(pair);
  const known = new Map(
    attributes.map((attribute) => {
      const [key, text] = halves(attribute);
      return [key.toLowerCase(), text];
    }),
  );
  const maxAge = known.get('max-age');
  return {
    name,
    value,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    path: known.get('path'),
    domain: known.get('domain'),
    httpOnly: known.has('httponly'),
    secure: known.has('secure'),
    sameSite: known.get('samesite'),
  };
}

function halves(text: string): [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}
