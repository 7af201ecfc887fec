/** Files that wrangler bundles as text, for the Worker's entry. */
declare module '*.html' {
  const text: string;
  export default text;
}
declare module '*/pid.js' {
  const text: string;
  export default text;
}
declare module '*/_headers' {
  const text: string;
  export default text;
}
