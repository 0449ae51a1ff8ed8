import type { TurnRequest } from '@coherex/contract'

export type Attachment = NonNullable<TurnRequest['files']>[number]

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const mostAttachments = 8
const mostBytes = 5_000_000
// what a request holds, in the longer writing of base64
const mostTogether = 9_000_000

/** Images as they are sent, beside those already there. What cannot be sent is refused with a sentence. */
export async function readAttachments(
  files: readonly File[],
  before: readonly Attachment[],
): Promise<{ attachments: Attachment[]; problem: string | undefined }> {
  const attachments: Attachment[] = []
  let size = before.reduce((sum, { base64 }) => sum + base64.length, 0)
  let problem: string | undefined
  for (const file of files) {
    if (!imageTypes.includes(file.type) || file.size > mostBytes) {
      problem ??= 'Only PNG, JPEG, GIF and WebP images of up to 5 MB can be attached'
    } else if (before.length + attachments.length >= mostAttachments) {
      problem ??= `A message takes ${mostAttachments} images`
    } else if (!(await isImage(file))) {
      problem ??= `${file.name} cannot be read as an image`
    } else {
      const image = await readImage(file)
      size += image.base64.length
      if (size <= mostTogether) attachments.push(image)
      else problem ??= 'The images of a message may have 6.5 MB together'
    }
  }
  return { attachments, problem }
}

/** Whether a browser can show it, whatever its name says. */
async function isImage(file: File): Promise<boolean> {
  try {
    const picture = await createImageBitmap(file)
    picture.close()
    return true
  } catch {
    return false
  }
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
