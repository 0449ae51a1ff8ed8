import { routes, type CoherexError } from '@coherex/contract'

export function isMcpPath(path: string): boolean {
  return path === routes.mcp.message.path
}

/** Where a client that was refused learns how it gets in. */
export function challengeOf(publicUrl: string, { code }: CoherexError): string | undefined {
  if (code !== 'unauthenticated') return undefined
  return `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${routes.mcp.message.path}", scope="read run write"`
}
