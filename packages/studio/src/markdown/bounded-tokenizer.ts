import { Tokenizer, type Tokens } from 'marked'

/** Letters looked through for where emphasis ends, in one text. Each sign of it may ask for all that follows. */
const mostSought = 1_000_000
/** A cell for each column in each row, whether it is written or not. */
const mostCells = 10_000
/** What is in itself deeper than this is nothing that somebody reads, and calls itself until there is no stack left. */
const deepest = 24
/** Words are read in pieces of this size: where they end is looked for in all that follows. */
const piece = 250
/** The line below a heading is looked for at every line of a text. */
const longestHeading = 1_000

// an address of mail is looked for at every word, in all that follows; none is longer
const mayBeAddress = /^(?:[a-z]{3,6}:|www\.|[\w.+-]{1,320}@)/i

/** Reads one text, and leaves as letters what would take too long: the text may be made to. */
export class BoundedTokenizer extends Tokenizer {
  #sought = 0
  #cells = 0
  #depth = 0

  override emStrong(source: string, masked: string, before?: string) {
    if (source[0] !== '*' && source[0] !== '_') return undefined
    return this.#seek(source, () => super.emStrong(source, masked, before))
  }

  override del(source: string, masked: string, before?: string) {
    if (source[0] !== '~') return undefined
    return this.#seek(source, () => super.del(source, masked, before))
  }

  override link(source: string) {
    return this.#within(() => super.link(source))
  }

  override reflink(source: string, links: Parameters<Tokenizer['reflink']>[1]) {
    return this.#within(() => super.reflink(source, links))
  }

  override blockquote(source: string) {
    return this.#within(() => super.blockquote(source))
  }

  override list(source: string) {
    return this.#within(() => super.list(source))
  }

  override table(source: string): Tokens.Table | undefined {
    // after one that was too large none is looked for: they could go on for ever
    if (this.#cells > mostCells) return undefined
    const [, header, , rows = ''] = this.rules.block.table.exec(source) ?? []
    if (header === undefined) return undefined
    this.#cells += header.split('|').length * rows.split('\n').length
    return this.#cells > mostCells ? undefined : super.table(source)
  }

  override lheading(source: string) {
    return super.lheading(source.slice(0, longestHeading))
  }

  override url(source: string) {
    return mayBeAddress.test(source) ? super.url(source) : undefined
  }

  override inlineText(source: string) {
    if (source.length <= piece) return super.inlineText(source)
    // between two words, as long as there are words
    const space = source.lastIndexOf(' ', piece)
    return super.inlineText(source.slice(0, space > 0 ? space : piece))
  }

  #seek<Found>(source: string, find: () => Found | undefined): Found | undefined {
    this.#sought += source.length
    return this.#sought > mostSought ? undefined : this.#within(find)
  }

  #within<Found>(find: () => Found | undefined): Found | undefined {
    if (this.#depth >= deepest) return undefined
    this.#depth += 1
    try {
      return find()
    } finally {
      this.#depth -= 1
    }
  }
}
