import ipaddr from 'ipaddr.js'

// What ipaddr.js calls unicast but is not a stranger on the internet.
const refusedV4 = cidrs([
  '0.0.0.0/8',
  '100.64.0.0/10',
  '168.63.129.16/32', // Azure's host agent: a public address that only exists inside
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
])

// Inside 2000::/3: protocol assignments and Teredo, documentation, 6to4.
const refusedV6 = cidrs(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])
const globalV6 = cidrs(['2000::/3'])

/**
 * Whether an address, in any spelling, is a host on the public internet. Everything not known to be one is refused:
 * private, loopback, link-local, multicast, reserved, and the ranges that carry an IPv4 address inside an IPv6 one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !refusedV4.some((range) => address.match(range as [ipaddr.IPv4, number]))

  const v6 = address as ipaddr.IPv6
  if (v6.zoneId) return false
  if (!matches(v6, globalV6) || matches(v6, refusedV6)) return false
  // ISATAP: an interface id of [02]00:5efe tunnels to the IPv4 address in the last four bytes
  return !((v6.parts[4] === 0 || v6.parts[4] === 0x200) && v6.parts[5] === 0x5efe)
}

/** One spelling per address, so that lists can be compared as text; an IPv4-mapped address becomes its IPv4 form. */
export function canonicalAddress(text: string): string {
  return ipaddr.process(text).toString()
}

/** Whether a name server behind NAT64 made this address of one of the others: it adds one to each name without IPv6. */
export function isTranslationOf(text: string, others: readonly string[]): boolean {
  const address = ipaddr.parse(text)
  if (!(address instanceof ipaddr.IPv6) || address.range() !== 'rfc6052') return false
  return others.includes(address.toByteArray().slice(-4).join('.'))
}

function matches(address: ipaddr.IPv6, ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][]): boolean {
  return ranges.some((range) => address.match(range as [ipaddr.IPv6, number]))
}

function cidrs(texts: string[]): [ipaddr.IPv4 | ipaddr.IPv6, number][] {
  return texts.map((text) => ipaddr.parseCIDR(text))
}
