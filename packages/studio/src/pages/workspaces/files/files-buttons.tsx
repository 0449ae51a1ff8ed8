import { FilePlus2, FileUp } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { GivenUpload } from './use-upload.ts'

interface FilesButtonsProps {
  onNew: () => void
  onUpload: (given: GivenUpload[]) => void
}

/** Ways to add files. */
export function FilesButtons({ onNew, onUpload }: FilesButtonsProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="New file" size="small" className="w-7!" icon={<FilePlus2 aria-hidden />} onClick={onNew} />
      <IconButton
        label="Upload files"
        size="small"
        className="w-7!"
        icon={<FileUp aria-hidden />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          const given = [...(event.target.files ?? [])].map((file) => ({ path: file.name, file }))
          event.target.value = ''
          onUpload(given)
        }}
      />
    </>
  )
}
