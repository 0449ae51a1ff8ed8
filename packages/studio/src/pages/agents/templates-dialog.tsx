import type { AgentTemplate } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { FilePlus2, LayoutTemplate } from 'lucide-react'
import { useAgentTemplates } from '../../data/library/agent.ts'
import { Dialog, DialogBody } from '../../ui/dialog/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { DescribeAgent } from './describe-agent.tsx'
import { FromFile } from './from-file.tsx'

/** Templates without those that need a source: there is no place yet where one is connected. */
function usable(items: readonly AgentTemplate[]): AgentTemplate[] {
  return items.filter(({ needs }) => !needs.some(({ kind }) => kind === 'source'))
}

/** What a new agent begins with. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const templates = useAgentTemplates()
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="New agent"
      description="Describe what it should do, or start from a template."
    >
      <DialogBody>
        <DescribeAgent />
        {templates.error && !templates.data ? (
          <ErrorState doing="load the templates" error={templates.error} onRetry={() => void templates.refetch()} />
        ) : !templates.data ? (
          <Waiting label="Loading">
            {Array.from({ length: 5 }, (_, index) => (
              <Skeleton key={index} className="my-4 h-4" />
            ))}
          </Waiting>
        ) : (
          <ul className="-mx-2 flex flex-col">
            {usable(templates.data.items).map(({ id, title, description, needs }) => (
              <li key={id}>
                <Link
                  to="/agents/new/$template"
                  params={{ template: id }}
                  className="flex gap-3 rounded-md px-2 py-2 hover:bg-hover"
                >
                  <LayoutTemplate aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
                  <span className="min-w-0">
                    <span className="block text-body font-medium">{title}</span>
                    <span className="block text-dense text-muted">{description}</span>
                    {needs.length > 0 && (
                      <span className="block text-small text-amber">
                        Still needs: {needs.map(({ message }) => message).join('; ')}
                      </span>
                    )}
                  </span>
                </Link>
              </li>
            ))}
            <li>
              <Link
                to="/agents/new/$template"
                params={{ template: 'blank' }}
                className="flex gap-3 rounded-md px-2 py-2 hover:bg-hover"
              >
                <FilePlus2 aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
                <span className="min-w-0">
                  <span className="block text-body font-medium">Blank</span>
                  <span className="block text-dense text-muted">An empty definition to fill in yourself</span>
                </span>
              </Link>
            </li>
            <li>
              <FromFile />
            </li>
          </ul>
        )}
      </DialogBody>
    </Dialog>
  )
}
