import { formatBytes, type WorkspaceFile } from '@coherex/contract'
import { Download, File } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fileUrl, readImage } from '../../../data/file.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { imageTypeOf } from './image-type.ts'

/** What is no text: an image as one, anything else to download. */
export function BlobFile({ id, file }: { id: string; file: WorkspaceFile }) {
  const type = imageTypeOf(file.path)
  const image = useImage(id, file, type)
  const download = (
    <a href={fileUrl(id, file.path)} download className={buttonClass()}>
      <Download aria-hidden /> Download
    </a>
  )
  if (type && image !== 'failed') {
    return (
      <div className="flex min-h-0 flex-1 flex-col items-center gap-4 overflow-auto bg-sunken p-6">
        {image && (
          <img
            src={image}
            alt={file.path}
            className="max-w-full rounded-md border border-line bg-surface object-contain"
          />
        )}
        {download}
      </div>
    )
  }
  return (
    <Empty icon={File} title={file.path.split('/').at(-1) ?? file.path} action={download}>
      {formatBytes(file.size)} that are no text, or too long to be typed in together. Each version of it is kept.
    </Empty>
  )
}

function useImage(id: string, { path, hash }: WorkspaceFile, type: string | undefined): string | undefined {
  const [image, setImage] = useState<string>()
  useEffect(() => {
    if (!type) return undefined
    let gone = false
    let made: string | undefined
    readImage(id, path, type).then(
      (url) => {
        made = url
        if (gone) URL.revokeObjectURL(url)
        else setImage(url)
      },
      () => !gone && setImage('failed'),
    )
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, path, hash, type])
  return image
}
