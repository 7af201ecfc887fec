/**
 * Names that nobody may claim, because readers would mistake their holder for this service, a machine, a company or an
 * authority, or because they have a special meaning to software. The look-alikes of each name are also reserved, so
 * other separators or digits need no entry. First names of people stay available where possible. Names are sorted
 * within a group. A new entry does not affect an identity that already holds the name.
 */
export const reservedHandles = {
  /** Accounts, hosts, mail roles (RFC 2142) and protocol words with a special meaning to software. */
  system: `
abuse access acme activitypub adm admin administrator admins anonymous any anybody anyone apache api apis
atproto auth authentication authenticator authority authorization autodiscover backup bin bind bot bots cert
certificate certificates cgi-bin chat-bot client client-id clients config console cookie cookies cors cpanel
cron crypto csp csrf daemon dashboard data database databases debug default deploy dhcp dkim dmarc dns dnssec
docker domain email emails everybody everyone ftp ftps gateway git guest guests healthcheck host hostmaster
http httpd https imap info init internal intranet invalid ipv4 ipv6 irc json jsonp jwks jwt kerberos
kubernetes ldap libsql localdomain localhost log logs loopback mail mail-daemon mailbox mailer mailerdaemon
mails mailserver manager master matrix metadata mongodb mta-sts mysql named network networks news nginx nil
no-spam nobody noc node none noreply ns1 ns2 ntp null oauth oauth2 oidc openid openssl operator ops owner platform pop
postfix postgres postgresql postmaster provider-fee proxy redis rest root rootuser rsa sandbox secret secrets secure
security self sendmail server servers service services sftp shell sitemap smtp smtps spam spf sql ssh ssl
ssladmin ssladministrator sslwebmaster staging status sudo sudoers superadmin superuser supervisor suspense sys
sysadmin sysadministrator syslog sysop system systemd systems test test-user tests tls token tokens trust ttl
undefined unknown upload uploads user username usernames users uuid void webadmin webauthn webdav webhook
webhooks webmail webmaster webserver websocket well-known whois wildcard windows www www1 www2 xml xmpp yaml`,
  /** This service, its parts, and anyone who might claim to represent it. */
  service: `
admin-peridot bantuan-peridot cs-peridot get-peridot get-pid help-peridot my-peridot my-pid official-peridot
peridot peridot-admin peridot-app peridot-auth peridot-bank peridot-bantuan peridot-billing peridot-bot
peridot-care peridot-cs peridot-dev peridot-help peridot-hq peridot-id peridot-indonesia peridot-info
peridot-news peridot-official peridot-pay peridot-payments peridot-pid peridot-promo peridot-resmi peridot-sdk
peridot-security peridot-service peridot-support peridot-team peridot-verified peridot-wallet peridots pid
pid-access pid-admin pid-bantuan pid-bot pid-claim pid-help pid-hint pid-id pid-oauth pid-official pid-pay
pid-refresh pid-resmi pid-security pid-service pid-support pid-team pid-verified pid-wallet pids
support-peridot svc svc-access svc-refresh team-peridot the-peridot the-pid your-pid`,
  /** The first path segments of this service, of likely pages, and of files at a site's root. */
  route: `
about about-us account accounts activity address addresses admin-panel alert alerts analytics app approval
approvals apps assets audit authorize authorized balance balances beta blog cache callback cancel captcha cdn
challenge change change-password chat check checkout claim claims close community confirm confirmation connect
connections consent contact contact-us contacts content copyright credential credentials delete delivery
deposit deposits details dev developer developers device devices digest direct discord dispute disputes dmca
doc docs documentation download downloads endpoint exchange exit export faq faqs favicon fee feedback feeds
fees fiat file files filter forgot forgot-password forum forums fund funds get getting-started grants graphql
guide guides handle handles health healthz hello help help-center history home homepage identities identity
import install interface invitation invitations invite invites invoice invoices issue issues job jobs join key
keys legal library license licenses limits link links list lists login login-help logout lost-password manage
marketplace media member members message messages midtrans mobile my-account my-profile newsletter notice
notification notifications notify oauth-callback openapi order orders organization organizations orgs page
pages partner partners passkey passkeys passphrase password passwords permission permissions plugin plugins
policies policy poll popup portal post preferences premium preview pricing privacy privacy-policy private
product products profile profiles project projects promo promote provider providers purchase readme readyz
recover recovery redirect refresh refund refunds register registration release releases renew report reports
request requests resend reset reset-password restore return returns revert revoke role roles sales save sdk
search send sent session sessions setting settings setup shop signin signout signup site sites statement
statements step-up store subscribe subscription subscriptions success suspend suspended swagger teams term
terms terms-of-service terms-of-use topup tos trade transaction transactions transfer transfers tutorial
tutorials unblock uninstall unlink unlock unsubscribe updates upgrade userinfo vendor verification verify
version versions web website websites welcome wiki withdraw withdrawal withdrawals your-account your-name
your-username`,
  /** Roles that people trust in a conversation, in English and Indonesian. */
  role: `
account-manager admin-resmi agent agents akun akun-resmi announcements arbiter asisten assistance assistant
auditor bagian-keuangan bantu bantuan bantuan-resmi bendahara beranda bod bot-resmi call-center care careers
cek ceo cfo chief ciso compliance coo corporate counsel cto customer customer-care customer-service
customer-service-resmi customer-support customers daftar director-general direksi direktur direktur-utama
dirut dpo dukungan employee escalation founders helpdesk hotline hubungi human-resources humas identitas
info-resmi informasi investigator investors karyawan kasir keamanan kebijakan keluar kepala keuangan komisaris
konfirmasi kontak kurir lapor layanan layanan-pelanggan legal-team lupa-sandi management manajemen manajer
marketing masuk mediator moderator moderators notaris notary officer official officials pegawai pelanggan
pelayanan pemilik pendiri pengacara pengaduan pengelola pengguna pengumuman penipuan penyelia perusahaan
petugas pimpinan polisi press press-office pusat pusat-bantuan pusat-informasi real recruitment representative
resmi risk satpam security-team sekretaris service-desk sistem spokesperson staf staff staffs support
support-agent support-team supports team tech-support teknisi terpercaya terverifikasi the-team tim-peridot
tim-resmi tim-support trust-and-safety undian verified verified-account verifier verifikasi vip webteam`,
  /** Payment words, English and Indonesian. */
  money: `
accounting airdrop asuransi atm auto-debit bank banker bankers banking banks bansos billing bills bonus bounty
card cards cash cash-out cashback cashier cheque cicilan collateral credit credit-card debit debit-card
deposito dividend dompet dompet-digital donasi donate donation escrow euro finance finances financial forex
fraud free-money giveaway hadiah hadiah-undian insurance interest invest investasi investment investments
jackpot kartu kartu-kredit klaim kredit kuitansi kyc lending loans lottery lucky-draw mata-uang merchant
mortgage nasabah obligasi paid pasar-modal pay payday payee payer payment payment-gateway payments payout
payouts payroll paywall pembayaran pemenang penarikan pencairan pengembalian penjual pension pinjam pinjaman
pinjaman-online pinjol prize promo-resmi pulsa qris receipt receipts rekber rekening rekening-bersama
remittance reserve reward rupiah saham saldo saldo-gratis savings sedekah setoran settlement settlements
staking subsidi sumbangan tabungan tagihan tarik tarik-tunai taxes tebusan teller terima toko top-up-resmi
transaksi treasury tunai uang uang-elektronik uang-kembali undian-berhadiah vault voucher vouchers wakaf
wallet wallets zakat`,
  /** Global and Indonesian companies and products that are often impersonated. */
  brand: `
adobe airbnb alfamart alibaba aliexpress alipay alodokter amazon android apple appstore aws binance bitbucket
bitcoin blibli bluesky booking bukalapak bytedance chatgpt chrome claude-ai cloudflare coinbase detik dhl ebay
ethereum facebook facetime fedex firefox garuda-indonesia github gitlab gmail godaddy gofood gojek google
google-admin google-play grab grabfood gramedia halodoc icloud ikea indihome indomaret indosat instagram jne
jnt kaskus kitabisa kompas kraken kumparan lazada ledger ledger-live lenovo linkedin mercedes-benz messenger
meta meta-ai metamask microsoft mypertamina netflix ok-ru onedrive onlyfans openai outlook pertamina pln
pln-mobile pos-indonesia reddit ruangguru salesforce samsung shopee shopify sicepat signal slack smartfren
snapchat solana spacex spotify starbucks starlink steam stripe telegram telkom telkomsel tempo-co tencent
tesla tether tiket-com tiktok tinder tokopedia traveloka trezor trust-wallet-support trustwallet twitter uber
usdc usdt viber vivo walmart wechat wechatpay whatsapp whatsapp-admin wikimedia wikipedia wise wordpress
xiaomi xl-axiata yahoo yandex youtube zalora zoom`,
  /** Banks, card schemes, wallets and payment providers. */
  bank: `
ajaib akulaku allobank american-express amex apple-pay bank-aceh bank-aladin bank-dki bank-indonesia bank-jago
bank-jateng bank-jatim bank-mega bank-nagari bank-of-america bank-raya bank-sumut bank-syariah bankmandiri
banksinarmas bareksa bca bcadigital bibit bjb blu-bca bni bpd-bali bri brimo britama briva bsi bsi-mobile btn
btpn btpn-syariah bybit cashapp chase-bank cimb cimb-niaga citi citibank dana dana-indonesia dana-kaget
danamon dbs doku duitku easycash fidelity flip-id google-pay gopay gopaylater halo-bca hsbc ipaymu jamsostek
jenius klikbca kredivo kripto linkaja livin livin-mandiri mandiri mastercard maybank moneygram muamalat
neobank ocbc ovo ovo-indonesia panin paylater payoneer paypal paypal-support paytm pegadaian permata-bank
revolut samsung-pay santander sea-bank shopeepay sinarmas skrill square stockbit superbank swift taspen
tokocrypto unionpay uob visa wells-fargo western-union westpac xendit xendit-payments`,
  /** States, authorities and public bodies. */
  government: `
bappebti basarnas bawaslu bea-cukai bmkg bnn bnpb bpjs bpjs-kesehatan bpk bpkp bpn bpom bps brin bssn bumn
bupati cia congress dinas dinkes direktorat ditjen djp dpd dpr dprd dukcapil e-ktp embassy emergency europol
fbi fda ftc gov government gubernur imf imigrasi indonesia interpol irs istana istana-negara jaksa jaksa-agung
kantor-pajak kapolda kapolri kartu-prakerja kejaksaan kemenag kemendagri kemendikbud kemenhub kemenkes
kemenkeu kemenkumham kementerian kemnaker kepolisian kepresidenan komdigi kominfo komnas-ham kpk kpu ktp
lembaga lps mahkamah-agung mayor mendagri menkes menkeu menteri military minister ministry mpr nasa negara
npwp nsa ojk ombudsman pajak paspor pemda pemerintah pemilu pemkot pemprov polantas polda police polri ppatk
presiden president prime-minister republik-indonesia samsat satpol-pp secret-service sekneg state-department
surat-tilang tni unesco unicef united-nations wapres white-house world-bank`,
  /** Names and endings with a meaning to tools that read paths. */
  file: `
admin.php ads.txt apple-touch-icon aux com1 com2 con constructor dockerfile exe favicon.ico gitignore htaccess
humans.txt index.html index.js index.php info.php llms.txt login.php lpt1 manifest.json openapi.json
package.json pdf php phpmyadmin png prn prototype robots robots.txt rss.xml security.txt service-worker.js
sitemap.xml svg sw.js tar tsconfig txt wasm webmanifest wp-admin wp-config wp-login wp-login.php xlsx zip`,
  /** A short list of insults. */
  offensive: `
arsehole asshole bajingan bangsat bastard bitch blowjob bokep bugil cocksucker cunt dickhead faggot fuck
fucker fucking gangbang genocide hitler holocaust jancok jembut kkk kontol lonte memek motherfucker nazi
ngentot nigga nigger paedophile pedofil pedophile pelacur pepek porn porno pukimak pussy rape rapist retard
shit shithead slut teroris terrorist tranny twat wanker white-power whore`,
};
