/**
 * The look-alike key of a handle. Two handles share a key if a reader may mistake one for the other: 0 and o, 1 and l
 * and i, rn and m, and vv and w are equal, and separators are ignored.
 */
export function handleSkeleton(handle: string): string {
  // Separators are removed first, so that `r.n` equals `rn`. A w is split before pairs are joined from the left:
  // otherwise `vvv` would become `wv` while its look-alike `vw` stayed unchanged.
  return handle
    .replace(/[._-]/g, '')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('w', 'vv')
    .replaceAll('vv', 'w');
}
