import type { Tool, ToolCheck } from '@coherex/contract'
import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle } from 'lucide-react'
import { useToolPublish } from '../../../data/library/tool.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

interface PublishDialogProps {
  tool: Pick<Tool, 'name' | 'version'>
  version: number
  onClose: () => void
  /** Leads to the tab where a check is met. */
  onShow: (tab: string) => void
}

type CheckName = ToolCheck['name']

const checkWords: Record<CheckName, { label: string; tab: string; fix: string }> = {
  tests: { label: 'Tests pass', tab: 'tests', fix: 'Show tests' },
  licence: { label: 'Licence', tab: 'edit', fix: 'Edit tool.yaml' },
  owner: { label: 'Owner', tab: 'access', fix: 'Choose an owner' },
  review: { label: 'Review', tab: 'versions', fix: 'Show reviews' },
}

const checkNames = Object.keys(checkWords) as CheckName[]

/** Runs the checks of a version, shows what came of each, and publishes it where all are met. */
export function PublishDialog({ tool: { name, version: published }, version, onClose, onShow }: PublishDialogProps) {
  const publish = useToolPublish()
  const isBack = published !== null && version < published
  const form = useForm({
    draft: undefined,
    initial: { note: '' },
    after: (sent) => sent,
    send: ({ note }) => publish.mutateAsync({ params: { name }, body: { version, note } }),
  })
  const verdict = form.answer
  const names = verdict?.checks.map((check) => check.name) ?? checkNames
  const isPublished = verdict?.published === true
  return (
    <Dialog
      open
      onClose={onClose}
      title={isBack ? `Roll back ${name} to version ${version}` : `Publish version ${version} of ${name}`}
      description={
        isPublished
          ? `Callers who name no version get version ${version} now.`
          : published === null
            ? 'Callers who name no version get it once its checks are met.'
            : `Callers who name no version get version ${version} instead of ${published}, once its checks are met.`
      }
    >
      <form onSubmit={form.submit} className="flex min-h-0 flex-col">
        <DialogBody>
          <ul aria-label="Checks" aria-live="polite" className="flex flex-col gap-2">
            {names.map((check) => (
              <CheckLine
                key={check}
                name={check}
                result={verdict?.checks.find((one) => one.name === check)}
                isRunning={form.busy}
                onShow={onShow}
              />
            ))}
          </ul>
          {!isPublished && (
            <Field label="Note" hint="What changed, for whoever looks at the versions">
              <Input maxLength={500} {...form.text('note')} />
            </Field>
          )}
          <FormError error={form.error} />
        </DialogBody>
        <DialogActions>
          {isPublished ? (
            <Button look="primary" autoFocus onClick={onClose}>
              Done
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" busy={form.busy}>
                {verdict
                  ? 'Check again and publish'
                  : isBack
                    ? `Roll back to version ${version}`
                    : `Publish version ${version}`}
              </Button>
            </>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface CheckLineProps {
  name: CheckName
  /** Undefined before it was checked. */
  result: ToolCheck | undefined
  isRunning: boolean
  onShow: (tab: string) => void
}

function CheckLine({ name, result, isRunning, onShow }: CheckLineProps) {
  const { label, tab, fix } = checkWords[name]
  return (
    <li className="flex items-start gap-2 text-dense">
      {isRunning ? (
        <LoaderCircle aria-label="Checking" className="mt-0.5 size-4 shrink-0 animate-spin text-muted" />
      ) : result === undefined ? (
        <CircleDashed aria-label="Not checked yet" className="mt-0.5 size-4 shrink-0 text-muted" />
      ) : result.passed ? (
        <CircleCheck aria-label="Met" className="mt-0.5 size-4 shrink-0 text-green" />
      ) : (
        <CircleAlert aria-label="Not met" className="mt-0.5 size-4 shrink-0 text-red" />
      )}
      <span className="min-w-0 flex-1">
        <span className="font-medium">{label}</span>
        {result?.message && <span className="block break-words text-small text-muted">{result.message}</span>}
      </span>
      {result?.passed === false && (
        <Button size="small" onClick={() => onShow(tab)}>
          {fix}
        </Button>
      )}
    </li>
  )
}
