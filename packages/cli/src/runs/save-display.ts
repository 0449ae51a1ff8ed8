import { printable } from '../terminal.ts'
import type { Folder } from './folder.ts'

const extensions: Record<string, string> = {
  'text/html': 'html',
  'text/markdown': 'md',
  'text/latex': 'tex',
  'text/plain': 'txt',
  'image/svg+xml': 'svg',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'application/json': 'json',
}

/** Writes each form of a rich output to a file named by us, and gives their paths. */
async function saveDisplay(folder: Folder, number: number, data: Record<string, unknown>): Promise<string[]> {
  const saved: string[] = []
  for (const [mime, value] of Object.entries(data)) {
    const extension = extensions[mime] ?? (mime.endsWith('+json') ? 'json' : 'txt')
    saved.push(await folder.save(`display-${number}.${extension}`, toContent(mime, value)))
  }
  return saved
}

/** Bundles carry pictures as base64, as notebooks do. */
function toContent(mime: string, value: unknown): string | Uint8Array {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2)
  const isBinary = (mime.startsWith('image/') && mime !== 'image/svg+xml') || mime === 'application/pdf'
  return isBinary ? Buffer.from(value, 'base64') : value
}

export interface DisplaySaver {
  add(data: Record<string, unknown>): Promise<void>
  /** What to tell of the rich output that was seen. */
  notes(): string[]
}

/** Keeps rich output in the folder; without one it only counts what the terminal could not show. */
export function createDisplaySaver(folder: Folder | undefined): DisplaySaver {
  const saved: string[] = []
  const unseen = new Set<string>()
  let seen = 0
  return {
    async add(data) {
      seen += 1
      if (folder) saved.push(...(await saveDisplay(folder, seen, data)))
      for (const mime of Object.keys(data)) if (mime !== 'text/plain') unseen.add(printable(mime))
    },
    notes() {
      if (folder && seen > 0) return [`coherex: rich output in ${saved.join(', ')}`]
      if (unseen.size === 0) return []
      return [`coherex: rich output was shown as text; --save DIR keeps it (${[...unseen].join(', ')})`]
    },
  }
}
