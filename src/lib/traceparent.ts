/** Version, trace id, parent id and flags (W3C Trace Context, section 3.2). */
const shape = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/**
 * Returns the header's value, or null unless it contains a trace. A longer value of a later version is not accepted.
 */
export function parseTraceparent(header: string | null | undefined): string | null {
  return typeof header === 'string' && shape.test(header) ? header : null;
}
