import { RotateCcw } from 'lucide-react'
import { useVersionRestore } from '../data/version.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast/toast.ts'
import { Tooltip } from '../ui/tooltip.tsx'

interface RestoreButtonProps {
  workspaceId: string
  path: string
  /** The version to take the file from: where it has none, the file goes. */
  version: number
  /** It was not there at that version. */
  isNew?: boolean
}

/** Makes one file what it was before a change, with a way back. */
export function RestoreButton({ workspaceId: id, path, version, isNew = false }: RestoreButtonProps) {
  const restore = useVersionRestore()
  const put = (number: number, onSuccess: (made: number) => void) =>
    restore.mutate(
      { params: { id, number }, body: { paths: [path] } },
      {
        onSuccess: (result) => onSuccess(result.version),
        onError: (error) => toast({ title: `${path} was not restored`, description: error.message, tone: 'error' }),
      },
    )
  const run = () =>
    put(version, (made) =>
      toast({
        title: isNew ? `${path} is deleted again` : `${path} is what it was at version ${version}`,
        action: { label: 'Undo', run: () => put(made - 1, () => undefined) },
      }),
    )
  return (
    <Tooltip
      text={
        isNew ? `Delete ${path}: version ${version} does not have it` : `Make ${path} what it was at version ${version}`
      }
    >
      <Button size="small" look="quiet" icon={<RotateCcw aria-hidden />} busy={restore.isPending} onClick={run}>
        Restore
      </Button>
    </Tooltip>
  )
}
