import { URLSearchParams } from '../url-search-params.ts'
import type { UrlClass } from '../url.ts'
import { resolve } from './path.ts'

/** node:url: the standard's classes and Node's functions between URLs and paths. */
export function createUrlModule(URL: UrlClass) {
  return {
    URL,
    URLSearchParams,
    fileURLToPath(url: unknown): string {
      const parsed = new URL(url)
      if (parsed.protocol !== 'file:') throw new TypeError('The URL must be of scheme file')
      if (/%2f/i.test(parsed.pathname)) throw new TypeError('File URL path must not include encoded / characters')
      return decodeURIComponent(parsed.pathname)
    },
    pathToFileURL(path: string) {
      const url = new URL('file:///')
      url.pathname = resolve(path).replaceAll('%', '%25').replaceAll('?', '%3F').replaceAll('#', '%23')
      return url
    },
    format: (url: unknown): string => String(url),
    resolve: (from: string, to: string): string => new URL(to, from).href,
    parse(text: string) {
      const { href, protocol, host, hostname, port, pathname, search, hash } = new URL(text)
      return {
        href,
        protocol,
        host,
        hostname,
        port,
        pathname,
        search,
        hash,
        query: search.slice(1),
        path: pathname + search,
      }
    },
    urlToHttpOptions(url: InstanceType<UrlClass>) {
      const { href, protocol, hostname, port, pathname, search, hash } = url
      return { href, protocol, hostname, port, pathname, search, hash, path: pathname + search }
    },
  }
}
