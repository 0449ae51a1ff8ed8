import type { WorkspaceFile } from '@coherex/contract'
import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { BlobFile } from './blob-file.tsx'
import { TextFile } from './text-file.tsx'

interface BesideFileProps extends Omit<ComponentProps<typeof TextFile>, 'line' | 'isShown' | 'autoFocus'> {
  file: WorkspaceFile | undefined
}

/** A second file beside the open one, or the same in another place. */
export function BesideFile(props: BesideFileProps) {
  const { id, path, file, onClose } = props
  return (
    <>
      <div className="flex h-6 shrink-0 items-center border-b border-line pl-3 text-small text-muted">
        <h2 className="min-w-0 flex-1 truncate font-normal" title={path}>
          {path}
        </h2>
        <IconButton
          label={`Close ${path} beside`}
          size="small"
          icon={<X aria-hidden />}
          className="size-6!"
          onClick={() => onClose(path)}
        />
      </div>
      {file?.kind === 'blob' ? (
        <BlobFile id={id} file={file} />
      ) : (
        <TextFile {...props} key={path} line={undefined} isShown autoFocus={false} />
      )}
    </>
  )
}
