/** An address that a link may lead to: of the web or a mailbox, never a script. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : undefined
}
