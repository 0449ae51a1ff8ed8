import { Transform } from 'node:stream'

const rooted = /(\s(?:src|href|action|formaction|poster)\s*=\s*["']?)\/(?!\/)/gi
const tag = /<[a-z][^<>]*>/gi
// a tag longer than this is passed as it is
const longestTag = 16_384

/**
 * Leads what a page names from its root to where the page is shown. Only attributes that name addresses: what a script puts
 * together is its own affair.
 */
export function rebaseHtml(prefix: string): Transform {
  const decoder = new TextDecoder()
  let held = ''
  const rebase = (text: string) => text.replace(tag, (one) => one.replace(rooted, `$1${prefix}/`))
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const text = held + decoder.decode(chunk, { stream: true })
      const open = text.lastIndexOf('<')
      // a tag may be cut in two
      const isCut = open >= 0 && !text.includes('>', open) && text.length - open < longestTag
      held = isCut ? text.slice(open) : ''
      done(null, rebase(isCut ? text.slice(0, open) : text))
    },
    flush(done) {
      done(null, rebase(held + decoder.decode()))
    },
  })
}
