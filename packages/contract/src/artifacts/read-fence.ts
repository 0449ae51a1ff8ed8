export interface Fence {
  language: string
  title?: string
}

/** What stands after the first mark of a fence: a language, and perhaps `title="load.py"`. */
export function readFence(words: string): Fence {
  const [first = ''] = words.split(/\s/)
  const found = /(?:^|\s)(?:title|filename|file)=(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(words)
  const title = found?.[1] ?? found?.[2] ?? found?.[3]
  const language = /=/.test(first) ? '' : first
  return title === undefined ? { language } : { language, title }
}
