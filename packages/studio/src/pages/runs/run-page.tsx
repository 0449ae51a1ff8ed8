import { Link, useParams } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { usePageTitle } from '../../shell/page-title.ts'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { RunView } from './run-view.tsx'

export function RunPage() {
  const { id } = useParams({ from: '/shell/team-places/runs/$id' })
  const roomy = useIsRoomy()
  usePageTitle(`Run ${id.slice(0, 10)}…`)
  return (
    <div className="flex h-dvh min-h-0 flex-col max-md:h-[calc(100dvh-56px-env(safe-area-inset-bottom))]">
      <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-1 px-4 pt-3 text-dense text-muted">
        <Link to="/runs" className="rounded-sm hover:text-text">
          Runs
        </Link>
        <ChevronRight aria-hidden className="size-3.5" />
        <span aria-current="page" className="truncate font-mono text-small">
          {id}
        </span>
      </nav>
      <RunView key={id} id={id} wide={roomy} />
    </div>
  )
}
