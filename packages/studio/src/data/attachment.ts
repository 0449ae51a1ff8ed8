import { CoherexError, type Attachment, type ErrorCode } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'

interface UploadOptions {
  /** How much of it is there, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Uploads a file for a message. Not with fetch, which does not tell how far it is. */
export function uploadAttachment(file: File, { onProgress, signal }: UploadOptions): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${routes.attachments.upload.path}?name=${encodeURIComponent(file.name || 'file')}`)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new CoherexError('unavailable', 'The server cannot be reached'))
    request.onabort = () => reject(new DOMException('Upload cancelled', 'AbortError'))
    request.onload = () => {
      const answer = parse(request.responseText)
      if (request.status === 201) return resolve(answer as Attachment)
      const { code, message } = (answer as { error?: { code?: ErrorCode; message?: string } } | undefined)?.error ?? {}
      reject(new CoherexError(code ?? 'unavailable', message ?? `The server answered ${request.status}`))
    }
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** Where a browser downloads an attached file. */
export function attachmentUrl(id: string): string {
  return routes.attachments.content.path.replace('{id}', id)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // a proxy's page of its own
    return undefined
  }
}
