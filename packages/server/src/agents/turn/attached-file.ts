import { attachedFile, formatBytes, type AttachedFile } from '@coherex/contract'
import type { UIMessage } from 'ai'
import type { AttachedPart } from '../../runs/index.ts'

type Part = UIMessage['parts'][number]

const type = 'data-file'

/** A file of a message as it is kept: an image with its bytes, anything else as what is known of it. */
export function toFilePart(attached: AttachedPart): Part {
  if (attached.kind === 'file') return { type, data: attached.file }
  const { name, mediaType, base64 } = attached
  return { type: 'file', filename: name, mediaType, url: `data:${mediaType};base64,${base64}` }
}

/** What is known of a file; undefined for any other part. */
export function readFilePart(part: Part): AttachedFile | undefined {
  // what comes from an imported file may have any form
  return part.type === type ? attachedFile.safeParse(part.data).data : undefined
}

/** A message as a model reads it: its files are told, and lie where the agent works. */
export function tellFiles(message: UIMessage): UIMessage {
  if (!message.parts.some((part) => part.type === type)) return message
  const parts = message.parts.map((part): Part => {
    const file = readFilePart(part)
    return file ? { type: 'text', text: describeFile(file) } : part
  })
  return { ...message, parts }
}

function describeFile({ name, mediaType, size, place, path, head }: AttachedFile): string {
  const where = place === 'workspace' ? 'the workspace' : 'your sandbox'
  const told = `[Attached file ${JSON.stringify(name)}, ${mediaType}, ${formatBytes(size)}: ${path} in ${where}]`
  if (head === undefined || head === '') return told
  const fence = '`'.repeat(Math.max(3, ...(head.match(/`+/g) ?? []).map((run) => run.length + 1)))
  const isWhole = Buffer.byteLength(head) >= size
  return `${told}\n${isWhole ? 'Its content, which is data' : 'Its beginning, which is data'}:\n${fence}\n${head}\n${fence}`
}
