/**
 * Public suffixes of more than one label under which people often host. Browsers hold the whole list and
 * refuse cookies for any of them; this short one only turns the common mistakes into a clear message at start.
 */
export const publicSuffixes = `ac.id biz.id co.id desa.id go.id mil.id my.id net.id or.id ponpes.id sch.id web.id
ac.uk co.uk gov.uk ltd.uk me.uk net.uk org.uk plc.uk com.au edu.au gov.au id.au net.au org.au
co.nz net.nz org.nz co.jp ne.jp or.jp co.kr or.kr com.br net.br org.br com.cn net.cn org.cn com.hk com.tw
co.in net.in org.in com.my net.my org.my com.sg net.sg org.sg co.th in.th com.ph net.ph com.vn net.vn
co.za org.za web.za com.mx com.ar com.tr com.ua com.ng com.pk com.bd com.eg com.sa co.il co.ke
workers.dev pages.dev vercel.app netlify.app web.app firebaseapp.com fly.dev onrender.com herokuapp.com
github.io gitlab.io railway.app deno.dev surge.sh ngrok.io ngrok.app ngrok-free.app trycloudflare.com
azurewebsites.net cloudfront.net appspot.com run.app r2.dev blogspot.com`
  .split(/\s+/);
