/** All files in `public/` as base64, by name (scripts/build-worker.ts). */
declare module 'peridot:public' {
  const files: Record<string, string>;
  export default files;
}
