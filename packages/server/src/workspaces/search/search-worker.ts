import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'
import type { SearchAnswer, SearchRequest } from './search-texts.ts'

// what a line shows around what was found
const longestLine = 300

parentPort?.on('message', (request: SearchRequest) => {
  parentPort?.postMessage(search(request))
})

interface Match {
  start: number
  end: number
  /** What a group of it found; the whole for 0. */
  group(index: number): string | undefined
}

type Finder = (text: string) => Iterable<Match>

// longer than a text may be
const longestText = 2_000_000

function search(request: SearchRequest): SearchAnswer {
  const { id, pattern, isRegex, matchCase } = request
  let find: Finder
  try {
    find = isRegex && /[^\p{L}\p{N}\s_]/u.test(pattern) ? findRegex(pattern, matchCase) : findText(pattern, matchCase)
  } catch (error) {
    return { id, error: (error as Error).message }
  }
  return request.replacement === undefined ? list(request, find) : replace(request, find)
}

function list({ id, most, texts }: SearchRequest, find: Finder): SearchAnswer {
  const items: NonNullable<SearchAnswer['items']> = []
  for (const { path, text } of texts) {
    const lines = createLineCounter(text)
    let shownUntil = -1
    for (const { start: at } of find(text)) {
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

function replace({ id, texts, isRegex, replacement = '', only }: SearchRequest, find: Finder): SearchAnswer {
  const replaced: NonNullable<SearchAnswer['replaced']> = []
  for (const { path, text } of texts) {
    if (only && only.path !== path) continue
    const lines = createLineCounter(text)
    let [after, from, count] = ['', 0, 0]
    for (const match of find(text)) {
      if (match.end === match.start) continue // nothing was found, so nothing is replaced
      if (only) {
        const { line, start } = lines(match.start)
        if (line !== only.line || match.start - start + 1 !== only.column) continue
      }
      after += text.slice(from, match.start) + (isRegex ? expand(replacement, match) : replacement)
      from = match.end
      count++
      if (after.length > longestText) return { id, tooLarge: path }
    }
    if (count > 0) replaced.push({ path, after: after + text.slice(from), count })
  }
  return { id, replaced }
}

/** The replacement with what the groups found. One that found nothing is empty. */
function expand(replacement: string, match: Match): string {
  return replacement.replaceAll(/\$(\$|&|\d{1,2})/g, (_, sign: string) =>
    sign === '$' ? '$' : (match.group(sign === '&' ? 0 : Number(sign)) ?? ''),
  )
}

function findRegex(pattern: string, matchCase: boolean): Finder {
  const compiled = RE2JS.compile(pattern, RE2JS.MULTILINE | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE))
  return function* matches(text) {
    const matcher = compiled.matcher(text)
    const groups = matcher.groupCount()
    const group = (index: number) => (index > groups ? undefined : (matcher.group(index) ?? undefined))
    while (matcher.find()) yield { start: matcher.start(), end: matcher.end(), group }
  }
}

/** Words without any operator need no RE2, which takes a thousand times as long where letters count in either case. */
function findText(words: string, matchCase: boolean): Finder {
  const literal = words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const compiled = new RegExp(literal, matchCase ? 'gu' : 'giu')
  return function* matches(text) {
    for (const { 0: found, index } of text.matchAll(compiled)) {
      yield { start: index, end: index + found.length, group: (of) => (of === 0 ? found : undefined) }
    }
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
