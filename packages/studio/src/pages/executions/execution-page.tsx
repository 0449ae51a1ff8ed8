import { useNavigate, useParams } from '@tanstack/react-router'
import { DetailPage } from '../../shell/detail-page.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { RunView } from '../runs/run-view.tsx'
import { TurnView } from './turn-view.tsx'

/** One turn or run on its own page. */
export function ExecutionPage() {
  const { id } = useParams({ from: '/shell/team-places/executions/$id' })
  const navigate = useNavigate()
  const roomy = useIsRoomy()
  const isRun = id.startsWith('run_')
  return (
    <DetailPage list={{ to: '/executions', name: 'Executions' }} noun={isRun ? 'Run' : 'Turn'} id={id}>
      {isRun ? (
        <RunView key={id} id={id} wide={roomy} />
      ) : (
        <TurnView key={id} id={id} onNext={(next) => void navigate({ to: '/executions/$id', params: { id: next } })} />
      )}
    </DetailPage>
  )
}
