import type { TurnRequest } from '@coherex/contract'

export type Attachment = NonNullable<TurnRequest['files']>[number]

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const mostAttachments = 8
const mostBytes = 5_000_000

/** Images as they are sent. What cannot be sent is refused with a sentence. */
export async function readAttachments(
  files: readonly File[],
  already: number,
): Promise<{ attachments: Attachment[]; problem: string | undefined }> {
  const images = files.filter(({ type, size }) => imageTypes.includes(type) && size <= mostBytes)
  const taken = images.slice(0, Math.max(0, mostAttachments - already))
  const attachments = await Promise.all(taken.map(readImage))
  if (taken.length < images.length) return { attachments, problem: `A message takes ${mostAttachments} images` }
  if (images.length < files.length) {
    return { attachments, problem: 'Only PNG, JPEG, GIF and WebP images of up to 5 MB can be attached' }
  }
  return { attachments, problem: undefined }
}

async function readImage(file: File): Promise<Attachment> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} could not be read`))
    reader.readAsDataURL(file)
  })
  const base64 = address.slice(address.indexOf(',') + 1)
  return { name: file.name.slice(0, 255) || 'image', mediaType: file.type, base64 }
}
