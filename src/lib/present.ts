/**
 * Returns a value that cannot be missing here, whatever its type says.
 * @param what the name of the value in the log if it is missing, which is a defect
 * @throws Error
 */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}

/** Parses a list of strings that the database stores as JSON. @throws Error for anything else, which is a defect */
export function stringList(text: string): string[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  throw new Error('a stored list is not one of texts');
}
