import type { Thread } from '@coherex/contract'
import { isToolUIPart, type UIMessage } from 'ai'
import { readFilePart } from '../turn/attached-file.ts'
import { saidBetween } from '../turn/said.ts'
import type { ToolOutput } from '../turn/tool.ts'
import { escapeMarks, markOfMessage, markOfThread } from './markdown-marks.ts'

/** The branch that is shown, for people to read elsewhere; marks that no reader shows tell where each message begins. */
export function toMarkdown({ title, agent, messages }: Pick<Thread, 'title' | 'agent' | 'messages'>): string {
  const said = messages.flatMap(({ role, parts, createdBy, createdAt }) => {
    if (role === 'system') return []
    const body = (parts as UIMessage['parts']).flatMap(saidBetween).map(partToMarkdown).filter(Boolean).join('\n\n')
    return `${markOfMessage(role, createdAt)}\n## ${createdBy.name}\n\n${escapeMarks(body)}`
  })
  return `${[`${markOfThread(agent)}\n# ${title || 'Conversation'}`, ...said].join('\n\n')}\n`
}

function partToMarkdown(part: UIMessage['parts'][number]): string {
  if (part.type === 'text') return part.text
  if (part.type === 'file') return `*[${part.filename ?? part.mediaType}]*`
  const file = readFilePart(part)
  if (file) return `*[${file.name}]*`
  if (!isToolUIPart(part)) return ''
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
  const result = part.state === 'output-available' ? (part.output as ToolOutput).text : (part.errorText ?? '')
  return [`**${name}**`, fenced(JSON.stringify(part.input, null, 2) ?? '', 'json'), fenced(result, '')].join('\n\n')
}

/** A fence longer than any within. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
