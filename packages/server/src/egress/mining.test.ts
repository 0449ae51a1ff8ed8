import { expect, test } from 'vitest'
import { isMiningPool, speaksStratum } from './mining.ts'

test('pools are known by their domain, whatever stands before it, and by calling themselves stratum', () => {
  const pools = [
    'pool.supportxmr.com',
    'xmr-eu1.nanopool.org',
    'NANOPOOL.org.',
    'stratum.example.net',
    'stratum-eu.x.io',
  ]
  expect(pools.filter((host) => !isMiningPool(host))).toEqual([])
})

test('names that only look like a pool are none', () => {
  const others = [
    'pool.ntp.org',
    'nanopool.org.example.com',
    'notnanopool.org',
    'substratum.io',
    'stratumn.com',
    'org',
    '',
  ]
  expect(others.filter(isMiningPool)).toEqual([])
})

test('a miner is known by its first words', () => {
  const miners = [
    '{"id": 1, "method": "mining.subscribe", "params": ["cgminer/4.10"]}\n',
    '{"params":["wallet.worker","x"],"id":2,"method":"mining.authorize"}',
    '{"id":1,"jsonrpc":"2.0","method":"eth_submitLogin","params":["0xabc"]}',
    '{"id":1,"jsonrpc":"2.0","method":"login","params":{"login":"48wallet","pass":"x","agent":"XMRig/6.21.0","algo":["rx/0"]}}\n',
  ]
  for (const words of miners) expect([words, speaksStratum(Buffer.from(words))]).toEqual([words, true])
})

test('other clients are not: TLS, HTTP, and other people who log in by JSON', () => {
  const others = [
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
    'POST /rpc HTTP/1.1\r\nhost: x\r\n\r\n{"method":"eth_blockNumber"}',
    '{"method":"login","params":{"user":"ada","password":"x"}}',
    '{"method":"getinfo","params":["mining.subscribe"]}',
    '',
  ]
  for (const words of others) expect([words, speaksStratum(Buffer.from(words))]).toEqual([words, false])
})

test('what is long is looked at in its beginning only, and once', () => {
  const words = `{"method":"login"${' "login":'.repeat(1_000_000)}`
  expect(speaksStratum(Buffer.from(words))).toBe(false)
})
