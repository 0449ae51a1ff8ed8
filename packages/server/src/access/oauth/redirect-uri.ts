const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])
const dangerous = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
  'view-source:',
])
const longest = 500

/** Why a person must not be sent there; undefined where they may. */
export function refuseRedirect(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > longest) return 'it is no address'
  if (url.hash !== '' || text.includes('#')) return 'it has a fragment'
  if (url.username !== '' || url.password !== '') return 'it has a user name'
  if (url.protocol === 'https:') return undefined
  // whoever listens on the person's own machine
  if (url.protocol === 'http:') return loopback.has(url.hostname) ? undefined : 'it is not encrypted'
  // apps have schemes of their own, such as cursor: or com.example.app:
  return dangerous.has(url.protocol) ? 'its scheme can run code' : undefined
}

/** Whether a client may be answered there: exactly where it said, but for the port on one's own machine. */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  return registered.includes(redirectUri) || registered.some((one) => isSameLoopback(redirectUri, one))
}

function isSameLoopback(a: string, b: string): boolean {
  const [one, other] = [URL.parse(a), URL.parse(b)]
  if (!one || !other || one.protocol !== 'http:' || !loopback.has(one.hostname)) return false
  one.port = ''
  other.port = ''
  return one.href === other.href
}
