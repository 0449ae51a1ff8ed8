/** Comments, which no reader of Markdown shows. */
export function markOfThread(agent: string): string {
  return `<!-- conversation with ${agent} -->`
}

export function markOfMessage(role: 'user' | 'assistant', createdAt: string): string {
  return `<!-- message of ${role}, ${createdAt} -->`
}

export const threadMark = /^<!-- conversation with (\S{1,64}) -->\r?\n# (.*)\r?\n?/
export const messageMark = /^<!-- message of (user|assistant), (\S+) -->\r?\n## (.*)\r?\n?/gm

/** Words that look like a mark get a stroke before them, so that they stay words. */
export function escapeMarks(text: string): string {
  return text.replace(/^(\\*<!-- message of )/gm, '\\$1')
}

export function unescapeMarks(text: string): string {
  return text.replace(/^\\(\\*<!-- message of )/gm, '$1')
}
