import type { EgressSign } from './egress-sign.ts'

// Whoever mines needs a pool: computing alone pays nobody. So mining shows on the way out, by whom it asks for or by what it says there.

/** Pools that mine with processors and graphics cards, by domain. A list can only know the known ones; the rest is heard by what is said. */
const pools = [
  ...['2miners.com', 'antpool.com', 'braiins.com', 'c3pool.com', 'c3pool.org', 'crazypool.org', 'cruxpool.com'],
  ...['ethermine.org', 'f2pool.com', 'flexpool.io', 'flypool.org', 'hashcity.org', 'hashvault.pro', 'herominers.com'],
  ...['hiveon.net', 'kryptex.network', 'luckpool.net', 'minergate.com', 'minexmr.com', 'miningpoolhub.com'],
  ...['miningrigrentals.com', 'moneroocean.stream', 'monerohash.com', 'nanopool.org', 'nicehash.com', 'poolin.com'],
  ...[
    'prohashing.com',
    'rplant.xyz',
    'skypool.org',
    'slushpool.com',
    'supportxmr.com',
    'unmineable.com',
    'unmineable.cc',
  ],
  ...['viabtc.com', 'woolypooly.com', 'xmrpool.eu', 'zergpool.com', 'zpool.ca'],
]
const isPoolDomain = new Set(pools)
const firstWords = 4_096
const mostTold = 10
// of bitcoin and most others, of ethereum, and of monero, whose log-in brings a wallet and a password
const stratum =
  /"method"\s*:\s*"(?:mining\.(?:subscribe|authorize|configure|extranonce\.subscribe)|eth_submit(?:Login|Work|Hashrate))"/
const moneroLogin = /"method"\s*:\s*"login"[^]*"login"\s*:[^]*"(?:pass|agent|algo|rigid)"\s*:/

/** Gives a sign of each pool once, whether it was reached or refused. */
export function createMinerWatch(onSign: (sign: EgressSign) => void) {
  const told = new Set<string>()
  const tell = (host: string, how: string) => {
    if (told.has(host) || told.size >= mostTold) return
    told.add(host)
    onSign({ kind: 'mining', detail: `${how} ${host.slice(0, 200)}` })
  }
  return {
    asked(url: string): void {
      const host = URL.parse(url)?.hostname
      if (host && isMiningPool(host)) tell(host, 'it asked for the mining pool')
    },
    heard(host: string, firstBytes: Buffer): void {
      if (speaksStratum(firstBytes)) tell(host, 'it spoke as a miner does to')
    },
  }
}

/** Whether a host is a pool for mining, or calls itself one. */
export function isMiningPool(host: string): boolean {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  if (labels.some((label) => /^stratum(?:\d{1,3}|-[a-z0-9]{1,8})?$/.test(label))) return true
  return labels.some((_, at) => isPoolDomain.has(labels.slice(at).join('.')))
}

/** Whether the first bytes that a client sends are a miner's. */
export function speaksStratum(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, firstWords)
  return stratum.test(text) || moneroLogin.test(text)
}
