import type { SendBySmtp } from './mail.ts';

export const sendBySmtp: SendBySmtp = () => Promise.reject(new Error('SMTP is not available here'));
