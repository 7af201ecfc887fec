/**
 * Returns a value that cannot be absent here, whatever its type says.
 * @param what names it in the log if it is absent all the same, which is a defect
 * @throws Error
 */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}

/** A list of texts that the database stores as JSON. @throws Error for anything else, which is a defect */
export function stringList(text: string): string[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  throw new Error('a stored list is not one of texts');
}
