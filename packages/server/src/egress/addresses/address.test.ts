import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './address.ts'
import { hostOf } from './host-port.ts'

const inside = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::10.0.0.1',
  '::93.184.216.34',
  '::ffff:127.0.0.1',
  '::ffff:93.184.216.34',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::5db8:d822',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:5db8:d822::1',
  '2606:2800::5efe:10.0.0.1',
  '2606:2800::200:5efe:10.0.0.1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
]

const outside = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
]

describe('isPublicAddress()', () => {
  it.each(inside)('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(outside)('takes %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it('refuses every address of the private ranges, inside IPv6 too', () => {
    const privateV4 = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
    )
    const wrap = fc.constantFrom('', '::', '::ffff:', '64:ff9b::', '::ffff:0:', '64:ff9b:1::')
    fc.assert(
      fc.property(privateV4, wrap, (parts, prefix) => !isPublicAddress(`${prefix}${parts.join('.')}`)),
      { numRuns: 2_000 },
    )
  })

  it('sees through every spelling the URL parser takes: decimal, octal, hexadecimal, short, full width', () => {
    const part = (value: number, style: number) => {
      if (style === 1) return `0${value.toString(8)}`
      if (style === 2) return `0x${value.toString(16)}`
      if (style === 3) return `0X${value.toString(16).toUpperCase()}`
      return String(value)
    }
    const fullWidth = (text: string) =>
      text.replace(/[0-9a-z.]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
    const style = fc.nat(3)
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
        fc.tuple(style, style, style, style),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        fc.boolean(),
        ([a, b, c, d], [s1, s2, s3, s4], count, wide, dot) => {
          const spelled =
            count === 1
              ? part(((a * 256 + b) * 256 + c) * 256 + d, s1)
              : count === 2
                ? `${part(a, s1)}.${part((b * 256 + c) * 256 + d, s2)}`
                : count === 3
                  ? `${part(a, s1)}.${part(b, s2)}.${part(c * 256 + d, s3)}`
                  : [part(a, s1), part(b, s2), part(c, s3), part(d, s4)].join('.')
          const host = `${wide ? fullWidth(spelled) : spelled}${dot ? '.' : ''}`
          return hostOf(new URL(`http://${host}/`).hostname) === `${a}.${b}.${c}.${d}`
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
