import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'
import type { SearchAnswer, SearchRequest } from './search-texts.ts'

// what a line shows around what was found
const longestLine = 300

parentPort?.on('message', (request: SearchRequest) => {
  parentPort?.postMessage(search(request))
})

function search({ id, pattern, isRegex, matchCase, most, texts }: SearchRequest): SearchAnswer {
  let compiled: RE2JS
  try {
    const flags = RE2JS.MULTILINE | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE)
    compiled = RE2JS.compile(isRegex ? pattern : RE2JS.quote(pattern), flags)
  } catch (error) {
    return { id, error: (error as Error).message }
  }
  const items: NonNullable<SearchAnswer['items']> = []
  for (const { path, text } of texts) {
    const matcher = compiled.matcher(text)
    const lines = createLineCounter(text)
    let lastLine = 0
    while (matcher.find()) {
      const { line, start, end } = lines(matcher.start())
      if (line === lastLine) continue // a line is shown once
      lastLine = line
      if (items.length === most) return { id, items, truncated: true }
      items.push({
        path,
        line,
        column: matcher.start() - start + 1,
        text: text.slice(start, Math.min(end, start + longestLine)),
      })
    }
  }
  return { id, items, truncated: false }
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
