import { formatBytes } from '@coherex/contract'
import { FileText, ImageIcon, RotateCw, X } from 'lucide-react'
import { useMemo } from 'react'
import { visibleText } from '../../../words/visible-text.ts'
import type { DraftFile, Upload } from './use-uploads.ts'

interface FileChipProps {
  file: DraftFile
  upload: Upload | undefined
  /** Where it goes, in words. */
  place: string
  onRetry: () => void
  onRemove: () => void
}

/** A file of a message that is being written: how far it is, where it goes, and what went wrong. */
export function FileChip({ file, upload, place, onRetry, onRemove }: FileChipProps) {
  const name = visibleText(file.name)
  const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(file.mediaType)
  const problem = upload?.problem ?? (file.id || upload ? undefined : 'The upload was interrupted: attach it again')
  const state = problem
    ? problem
    : file.id
      ? `${formatBytes(file.size)} · ${isImage ? 'image' : place}`
      : `${Math.round((upload?.share ?? 0) * 100)} % of ${formatBytes(file.size)}`
  return (
    <li className="relative flex max-w-72 min-w-0 items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-2">
      {isImage && upload ? (
        <Preview file={upload.file} />
      ) : isImage ? (
        <ImageIcon aria-hidden className="size-4 shrink-0 text-muted" />
      ) : (
        <FileText aria-hidden className="size-4 shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-dense">{name}</span>
        <span
          role={problem ? 'alert' : 'status'}
          title={state}
          className={`block truncate text-small tabular ${problem ? 'text-red' : 'text-muted'}`}
        >
          {state}
        </span>
      </span>
      {problem && upload && (
        <button
          type="button"
          aria-label={`Upload ${name} again`}
          onClick={onRetry}
          className="flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <RotateCw aria-hidden className="size-3.5" />
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
        className="flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-3.5" />
      </button>
      {!file.id && !problem && (
        <progress
          aria-label={`Upload of ${name}`}
          value={upload?.share ?? 0}
          className="absolute inset-x-0 bottom-0 h-0.5 w-full"
        />
      )}
    </li>
  )
}

function Preview({ file }: { file: File }) {
  const show = useMemo(() => showFile(file), [file])
  return <img ref={show} alt="" className="size-9 shrink-0 rounded-sm object-cover" />
}

/** Shows a file of this page for as long as its image is there. */
function showFile(file: File) {
  return (image: HTMLImageElement | null) => {
    if (!image) return undefined
    const address = URL.createObjectURL(file)
    image.src = address
    return () => URL.revokeObjectURL(address)
  }
}
