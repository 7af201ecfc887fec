import { AppError, type ErrorCode } from '../../errors.ts';

/** Our error codes that are also standard codes (RFC 6749 section 5.2, RFC 6750, RFC 8707, RFC 9449). */
type OauthCode = Extract<
  ErrorCode,
  | 'invalid_client'
  | 'invalid_dpop_proof'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
>;

/** An error with the standard code. @param reason for the log only */
export function refuse(code: OauthCode, reason?: string): AppError {
  return new AppError(code, null, { ...(reason && { reason }) });
}
