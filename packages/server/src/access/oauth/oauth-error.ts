/** A refusal in the words of OAuth 2.1. */
export class OAuthError extends Error {
  readonly code:
    | 'invalid_request'
    | 'invalid_client_metadata'
    | 'invalid_redirect_uri'
    | 'invalid_grant'
    | 'invalid_target'
    | 'unsupported_grant_type'
    | 'temporarily_unavailable'

  constructor(code: OAuthError['code'], message: string) {
    super(message)
    this.code = code
  }
}
