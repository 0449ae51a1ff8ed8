import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { usePageTitle } from '../../shell/page-title.ts'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { RunView } from '../runs/run-view.tsx'
import { TurnView } from './turn-view.tsx'

/** One turn or run on its own page. */
export function ExecutionPage() {
  const { id } = useParams({ from: '/shell/team-places/executions/$id' })
  const navigate = useNavigate()
  const roomy = useIsRoomy()
  usePageTitle(`${id.startsWith('run_') ? 'Run' : 'Turn'} ${id.slice(0, 11)}…`)
  return (
    <div className="flex h-dvh min-h-0 flex-col max-md:h-[calc(100dvh-56px-env(safe-area-inset-bottom))]">
      <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-1 px-4 pt-3 text-dense text-muted">
        <Link to="/executions" className="rounded-sm hover:text-text">
          Executions
        </Link>
        <ChevronRight aria-hidden className="size-3.5" />
        <span aria-current="page" className="truncate font-mono text-small">
          {id}
        </span>
      </nav>
      {id.startsWith('run_') ? (
        <RunView key={id} id={id} wide={roomy} />
      ) : (
        <TurnView key={id} id={id} onNext={(next) => void navigate({ to: '/executions/$id', params: { id: next } })} />
      )}
    </div>
  )
}
