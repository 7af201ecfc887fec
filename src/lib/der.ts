/**
 * Returns whether bytes are an ECDSA signature in DER (X.690 section 8.3, RFC 3279 section 2.2.3): a SEQUENCE of two
 * positive INTEGERs, each in the fewest bytes, and nothing else. Lengths are short, as for curves of up to 384 bits.
 */
export function isDerSignature(bytes: Uint8Array): boolean {
  const [tag, length] = bytes;
  if (tag !== 0x30 || length !== bytes.length - 2 || length > 127) return false;
  const second = integerEnd(bytes, 2);
  return second !== null && integerEnd(bytes, second) === bytes.length;
}

/** Returns the end of the positive INTEGER at `start`; null if there is none. */
function integerEnd(bytes: Uint8Array, start: number): number | null {
  const [tag, length = 0, first = 0, next = 0] = bytes.subarray(start);
  // A leading zero byte is present only if the number would otherwise be negative.
  const isPositive = first > 0 ? first < 128 : length > 1 && next > 127;
  const end = start + 2 + length;
  return tag === 0x02 && length > 0 && length < 128 && isPositive && end <= bytes.length ? end : null;
}
