import { CoherexError } from '@coherex/contract'

/** The address of a repository as it is kept and compared: http or https, nothing of a key in it. */
export function toRemoteUrl(text: string): URL {
  const refuse = (why: string) =>
    new CoherexError('invalid_input', `That is no address of a repository: ${why}`, { details: [{ field: 'url' }] })
  if (!/^https?:\/\//i.test(text)) throw refuse('it begins with https:// or http://')
  if (!URL.canParse(text)) throw refuse('it cannot be read')
  const url = new URL(text)
  // where it would be kept, shown and logged with the address
  if (url.username !== '' || url.password !== '') throw refuse('a token goes into a secret, not into the address')
  if (url.search !== '' || url.hash !== '') throw refuse('it has a query or a fragment')
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}
