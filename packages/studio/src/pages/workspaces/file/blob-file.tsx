import { formatBytes, type WorkspaceFile } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Download, File } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { fileUrl, readBeginning, readImage } from '../../../data/file.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { imageTypeOf } from './image-type.ts'
import { renderedKind } from './use-file-forms.ts'

const TextTable = lazy(async () => ({ default: (await import('./text-table.tsx')).TextTable }))
const mostTableBytes = 4_000_000

/** What is no text: an image as one, the first rows of a large table, anything else to download. */
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
  if (renderedKind(file.path) === 'table') return <LargeTable id={id} file={file} />
  return (
    <Empty icon={File} title={file.path.split('/').at(-1) ?? file.path} action={download}>
      {formatBytes(file.size)} of binary data, or text that is too long to edit here. Each version is kept.
    </Empty>
  )
}

function LargeTable({ id, file: { path, hash } }: { id: string; file: WorkspaceFile }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['file-beginning', id, path, hash],
    queryFn: ({ signal }) => readBeginning(id, path, mostTableBytes, signal),
    staleTime: Infinity,
  })
  if (error) return <ErrorState doing={`load ${path}`} error={error} onRetry={() => void refetch()} />
  if (!data) return <WaitingLines label="Loading the table" className="gap-2 p-4" lines={['h-3 w-64', 'h-3 w-80']} />
  return (
    <Suspense>
      <TextTable label={path} text={data.text} isBeginning={!data.isWhole} />
    </Suspense>
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
