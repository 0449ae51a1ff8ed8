import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

export const redirectUrl = 'http://127.0.0.1:51234/callback'

/** What an application keeps for the official client's own helpers. */
export class KeptAuth implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl
  readonly clientMetadata = {
    client_name: 'Test application',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  /** Where its metadata is, of an application that has a site. */
  readonly clientMetadataUrl?: string
  asked: URL | undefined
  kept: StoredOAuthTokens | undefined
  #client: StoredOAuthClientInformation | undefined
  #verifier = ''

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  state = () => 'a state of the application'
  clientInformation = () => this.#client
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client
  }
  tokens = () => this.kept
  saveTokens(tokens: StoredOAuthTokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  #discovered: OAuthDiscoveryState | undefined
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }
  discoveryState = () => this.#discovered
}
