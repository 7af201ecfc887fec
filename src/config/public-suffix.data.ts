/**
 * Common hosting suffixes with more than one label. Browsers have the whole public suffix list and reject cookies for
 * any entry; this short list only turns common mistakes into a clear message at startup.
 */
export const publicSuffixes = `ac.id biz.id co.id go.id my.id net.id or.id sch.id web.id
ac.uk co.uk gov.uk net.uk org.uk com.au edu.au gov.au id.au net.au org.au
co.nz org.nz co.jp co.kr com.br com.cn com.hk
co.in com.my com.sg co.th com.ph com.vn
co.za com.mx com.ar com.tr co.il
workers.dev pages.dev vercel.app netlify.app web.app firebaseapp.com fly.dev onrender.com herokuapp.com
github.io deno.dev ngrok.io ngrok.app ngrok-free.app trycloudflare.com
azurewebsites.net cloudfront.net appspot.com run.app r2.dev blogspot.com`
  .split(/\s+/);
