import * as z from 'zod/mini';
import { isFitForName } from './display-name.ts';

/** Text of bounded length in a body. */
export function boundedText(name: string, maxLength: number): z.ZodMiniString<string> {
  return z
    .string(`${name} must be a string`)
    .check(z.maxLength(maxLength, `${name} must be shorter than or equal to ${maxLength} characters`));
}

/** Like `boundedText`, but trimmed and not empty. */
export function trimmedText(
  name: string,
  maxLength: number,
): z.ZodMiniPipe<z.ZodMiniString<string>, z.ZodMiniTransform<string, string>> {
  return z
    .pipe(
      boundedText(name, maxLength),
      z.transform((text) => text.trim()),
    )
    .check(z.refine((text) => text.length > 0, { error: `${name} must not be empty`, abort: true }));
}

/** A name of a person, a passkey or an app, shown as is, so it must not be mistaken for other text. */
export function nameText(name: string): ReturnType<typeof trimmedText> {
  return trimmedText(name, 64).check(
    z.refine(isFitForName, `${name} must not contain control or invisible characters`),
  );
}

/** Text that `read` turns into a value; `message` is the error if it returns null. */
export function readText<Value>(
  text: z.ZodMiniString<string>,
  read: (text: string) => Value | null,
  message: string,
): z.ZodMiniPipe<z.ZodMiniString<string>, z.ZodMiniTransform<Value, string>> {
  return z.pipe(
    text,
    z.transform((given, context) => {
      const value = read(given);
      if (value !== null) return value;
      context.issues.push({ code: 'custom', message, input: given });
      return z.NEVER;
    }),
  );
}
