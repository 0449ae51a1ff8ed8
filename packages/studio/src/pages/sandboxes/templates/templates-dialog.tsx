import { formatBytes, type Template } from '@coherex/contract'
import { LayoutTemplate, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { useTemplateDelete, useTemplateList } from '../../../data/template.ts'
import { Button } from '../../../ui/button.tsx'
import { DeleteDialog } from '../../../ui/dialog/delete-dialog.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { BuildTemplateForm } from './build-template-form.tsx'

/** The templates of the team, and a form that builds one. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const templates = useTemplateList()
  const [building, setBuilding] = useState(false)
  const [deleting, setDeleting] = useState<Template>()
  const right = useRight('editor', 'build templates')
  const items = templates.data?.items ?? []
  const description = 'What new sandboxes can begin with: packages, files and a command.'
  if (building) {
    return (
      <Dialog open onClose={() => setBuilding(false)} title="Build a template" description={description}>
        <BuildTemplateForm onDone={() => setBuilding(false)} />
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title="Templates" description={description}>
      <DialogBody>
        {templates.error && !templates.data && (
          <ErrorState doing="load the templates" error={templates.error} onRetry={() => void templates.refetch()} />
        )}
        {templates.data && items.length === 0 && (
          <Empty icon={LayoutTemplate} title="No template yet">
            Packages are installed once, and each sandbox of it has them from its first moment.
          </Empty>
        )}
        <ul aria-label="Templates" className="flex flex-col">
          {items.map((template) => (
            <li key={template.name} className="flex items-center gap-3 border-b border-line py-2 last:border-b-0">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-dense font-medium">
                  {template.name} <span className="font-normal text-muted tabular">version {template.version}</span>
                </span>
                <span className="block truncate text-small text-muted">{describe(template)}</span>
              </span>
              {right.may && (
                <IconButton
                  label={`Delete ${template.name}`}
                  size="small"
                  icon={<Trash2 aria-hidden />}
                  onClick={() => setDeleting(template)}
                />
              )}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Reason why={right.why}>
          <Button look="primary" icon={<Plus aria-hidden />} disabled={!right.may} onClick={() => setBuilding(true)}>
            Build a template
          </Button>
        </Reason>
      </DialogActions>
      {deleting && <DeleteTemplate template={deleting} onClose={() => setDeleting(undefined)} />}
    </Dialog>
  )
}

function DeleteTemplate({ template: { name }, onClose }: { template: Template; onClose: () => void }) {
  return (
    <DeleteDialog
      noun="template"
      name={name}
      remove={useTemplateDelete()}
      params={{ name }}
      onClose={onClose}
      onDeleted={onClose}
    >
      Deletes all its versions. Sandboxes keep the files they have of it; its packages are gone when they wake.
    </DeleteDialog>
  )
}

function describe({ packages, files, start, bytes }: Template): string {
  const parts = [
    packages.join(', '),
    files.length > 0 ? `${files.length} ${files.length === 1 ? 'file' : 'files'}` : '',
    start ?? '',
    bytes > 0 ? formatBytes(bytes) : '',
  ]
  return parts.filter(Boolean).join(' · ') || 'nothing in it'
}
