import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUnder, parseUrl, parseUrlPrefix, showUrlPrefix } from './url-prefix.ts'

const isAllowed = (url: string, prefix: string) => {
  try {
    return isUnder(parseUrl(url), parseUrlPrefix(prefix))
  } catch {
    return false
  }
}

describe('a URL prefix', () => {
  it.each([
    ['https://api.test', 'https://api.test/anything?x=1#frag'],
    ['https://api.test/', 'HTTPS://API.TEST:443/'],
    ['https://api.test/v1', 'https://api.test/v1'],
    ['https://api.test/v1', 'https://api.test/v1/users'],
    ['https://api.test/v1', 'https://api.test/v1?x'],
    ['https://api.test/v1/', 'https://api.test/v1/users/../users'],
    ['https://api.test/v1/', 'https://api.test/v1/a%2Fb'],
    ['https://api.test/', 'https://api.test/@scope%2fname'],
    ['https://api.test/v1/', 'https://api.test/v1/100%25'],
    ['https://api.test/v1/', 'https://api.test/v1/5%25%20off/a%252Fb'],
    ['http://api.test:8080/', 'http://api.test:8080/x'],
    ['https://bücher.test/', 'https://xn--bcher-kva.test/'],
  ])('%s lets %s through', (prefix, url) => expect(isAllowed(url, prefix)).toBe(true))

  it.each([
    ['https://api.test/', 'http://api.test/'],
    ['https://api.test/', 'https://api.test:8443/'],
    ['https://api.test/', 'https://api.test.evil.test/'],
    ['https://api.test/', 'https://evil.test/https://api.test/'],
    ['https://api.test/', 'https://evil-api.test/'],
    ['https://api.test/', 'https://api.test./'],
    ['https://api.test/', 'https://api.test@127.0.0.1/'],
    ['https://api.test/', 'https://@api.test/'],
    ['https://api.test/', 'https://user:pass@api.test/'],
    ['https://api.test/', 'https://127.0.0.1#@api.test/'],
    ['https://api.test/', 'https://127.0.0.1\\@api.test/'],
    ['https://api.test/', 'https://api.test\\@127.0.0.1/'],
    ['https://api.test/', 'https:/api.test/'],
    ['https://api.test/', 'https:api.test/'],
    ['https://api.test/', 'https:///api.test/'],
    ['https://api.test/', 'https:\\\\api.test/'],
    ['https://api.test/', ' https://api.test/'],
    ['https://api.test/', 'https://api.test/\n'],
    ['https://api.test/', 'ht\ttps://api.test/'],
    ['https://api.test/', 'https://api\t.test/'],
    ['https://api.test/', 'https://api.test/\r\nHost: x'],
    ['https://api.test/', 'https://api.test\u0000.evil.test/'],
    ['https://api.test/v1', 'https://api.test/v10'],
    ['https://api.test/v1', 'https://api.test/v1-admin'],
    ['https://api.test/v1/', 'https://api.test/v1'],
    ['https://api.test/v1', 'https://api.test/V1'],
    ['https://api.test/v1/', 'https://api.test/v1/../admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%2e%2e/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/.%2E/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/..%2fadmin'],
    ['https://api.test/v1/', 'https://api.test/v1/%2e%2e%2fadmin'],
    ['https://api.test/v1/', 'https://api.test/v1/%252e%252e%252fadmin'],
    ['https://api.test/v1/', 'https://api.test/v1/%25252e%25252e/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/..%5cadmin'],
    ['https://api.test/v1/', 'https://api.test/v1/%25/%252e%252e/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%252%65%252%65/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%25252%2565%25252%2565/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%u002e%u002e/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%25u002e%25u002e/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%25c0%25ae%25c0%25ae/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/..;/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/..;x=y/admin'],
    ['https://api.test/v1/', 'https://api.test/v1/%c0%ae%c0%ae/admin'],
    ['https://api.test/v1/', 'https://api.test/v1%2fusers'],
    ['https://api.test/v1/', 'https://api.test//v1/'],
    ['https://api.test/', 'file:///etc/passwd'],
    ['https://api.test/', 'ftp://api.test/'],
    ['https://api.test/', 'gopher://api.test/'],
    ['https://api.test/', 'data:text/plain,x'],
    ['https://api.test/', 'blob:https://api.test/x'],
    ['https://api.test/', 'ws://api.test/'],
    ['https://api.test/', 'javascript:1'],
    ['https://api.test/', '//api.test/'],
    ['https://api.test/', '/x'],
    ['https://api.test/', ''],
  ])('%s keeps %j out', (prefix, url) => expect(isAllowed(url, prefix)).toBe(false))

  it.each([
    'https://*.test/',
    'https://api.test/?q',
    'https://api.test/#x',
    'https://u@api.test/',
    'api.test',
    'ftp://x/',
    'https://a.test/v1/%2e%2e%2fx',
  ])('cannot be %s', (text) => expect(() => parseUrlPrefix(text)).toThrow(/^Cannot (allow|fetch)/))

  it('is shown as it is applied', () => {
    expect(showUrlPrefix(parseUrlPrefix('HTTPS://Api.Test:443/v1'))).toBe('https://api.test/v1')
    expect(showUrlPrefix(parseUrlPrefix('http://[::1]:8080'))).toBe('http://[::1]:8080/')
  })

  it('never lets a path out of it, whatever is put between its segments', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '%2e',
      '%2E',
      '%252e',
      '/',
      '%2f',
      '%5c',
      ';',
      'a',
      'v1',
      'admin',
      '//',
      '%25',
      '%2525',
      '2',
      'e',
      '%65',
      '%00',
    )
    const decodeAll = (path: string) => {
      let reading = path
      // as a server that lets a percent sign stand where nothing can be made of it
      const decode = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
      for (let i = 0; i < 8; i++) reading = reading.replace(/%([0-9a-f]{2})/gi, decode)
      return reading
    }
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const url = `https://api.test/v1/${pieces.join('')}`
        if (!isAllowed(url, 'https://api.test/v1/')) return true
        const seen = decodeAll(parseUrl(url).pathname)
          .replaceAll('\\', '/')
          .replace(/;[^/]*/g, '')
        return new URL(seen, 'https://api.test').pathname.startsWith('/v1/')
      }),
      { numRuns: 5_000 },
    )
  })
})
