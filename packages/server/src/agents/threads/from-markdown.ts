import { CoherexError, threadFile, type ThreadFile } from '@coherex/contract'
import { messageMark, threadMark, unescapeMarks } from './markdown-marks.ts'

/** A conversation that was exported as Markdown: its branch as text. Calls and images are in it as words only. */
export function fromMarkdown(markdown: string): ThreadFile {
  const head = threadMark.exec(markdown.replace(/^\uFEFF/, '').trimStart())
  if (!head) throw new CoherexError('invalid_input', 'This is no conversation that was exported as Markdown')
  const [, agent, title = ''] = head
  const marks = [...markdown.matchAll(messageMark)]
  const messages = marks.map((mark, index) => {
    const [whole, role, createdAt, createdBy] = mark
    const text = markdown.slice(mark.index + whole.length, marks[index + 1]?.index).trim()
    const parts = [{ type: 'text', text: unescapeMarks(text) }]
    return { id: String(index), parentId: index === 0 ? null : String(index - 1), role, parts, createdAt, createdBy }
  })
  const parsed = threadFile.safeParse({ kind: 'coherex-thread', version: 1, agent, title: title.trim(), messages })
  if (parsed.success) return parsed.data
  const { path = [], message = '' } = parsed.error.issues[0] ?? {}
  throw new CoherexError('invalid_input', `${path.join('.')}: ${message}`)
}
