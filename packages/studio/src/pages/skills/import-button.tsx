import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { useSkillImport } from '../../data/library/skill.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast/toast.ts'

/** Takes a skill from a zip, as other products export them. */
export function ImportButton({ disabled }: { disabled: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const importing = useSkillImport()
  const navigate = useNavigate()
  function send(file: File | undefined) {
    if (!file) return
    importing.mutate(
      { body: file, query: { note: `Imported from ${file.name}`.slice(0, 500) } },
      {
        onSuccess({ name, newestVersion }) {
          toast({ title: `${name} is stored as version ${newestVersion}` })
          void navigate({ to: '/skills/$name', params: { name } })
        },
        onError: (error) => toast({ title: 'Could not import the skill', description: error.message, tone: 'error' }),
      },
    )
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        aria-label="Zip of a skill"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          send(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Button
        icon={<Upload aria-hidden />}
        disabled={disabled}
        busy={importing.isPending}
        onClick={() => input.current?.click()}
      >
        Import
      </Button>
    </>
  )
}
