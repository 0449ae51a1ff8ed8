import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'
import type { SearchAnswer, SearchRequest } from './search-texts.ts'

// what a line shows around what was found
const longestLine = 300

parentPort?.on('message', (request: SearchRequest) => {
  parentPort?.postMessage(search(request))
})

function search({ id, pattern, isRegex, matchCase, most, texts }: SearchRequest): SearchAnswer {
  let startsIn: (text: string) => Iterable<number>
  try {
    startsIn =
      isRegex && /[^\p{L}\p{N}\s_]/u.test(pattern) ? findRegex(pattern, matchCase) : findText(pattern, matchCase)
  } catch (error) {
    return { id, error: (error as Error).message }
  }
  const items: NonNullable<SearchAnswer['items']> = []
  for (const { path, text } of texts) {
    const lines = createLineCounter(text)
    let shownUntil = -1
    for (const at of startsIn(text)) {
      if (at <= shownUntil) continue // a line is shown once
      const { line, start, end } = lines(at)
      shownUntil = end
      if (items.length === most) return { id, items, truncated: true }
      items.push({
        path,
        line,
        column: at - start + 1,
        text: text.slice(start, Math.min(end, start + longestLine)),
      })
    }
  }
  return { id, items, truncated: false }
}

function findRegex(pattern: string, matchCase: boolean) {
  const compiled = RE2JS.compile(pattern, RE2JS.MULTILINE | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE))
  return function* starts(text: string): Iterable<number> {
    const matcher = compiled.matcher(text)
    while (matcher.find()) yield matcher.start()
  }
}

/** Words without any operator need no RE2, which takes a thousand times as long where letters count in either case. */
function findText(words: string, matchCase: boolean) {
  const literal = words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const compiled = new RegExp(literal, matchCase ? 'gu' : 'giu')
  return function* starts(text: string): Iterable<number> {
    for (const { index } of text.matchAll(compiled)) yield index
  }
}

/** Where the line of a place begins and ends. Places come in order, so that the text is read once. */
function createLineCounter(text: string) {
  let line = 1
  let start = 0
  return (at: number) => {
    for (let next = text.indexOf('\n', start); next !== -1 && next < at; next = text.indexOf('\n', start)) {
      line++
      start = next + 1
    }
    const end = text.indexOf('\n', start)
    return { line, start, end: end === -1 ? text.length : end }
  }
}
