import { useParams } from '@tanstack/react-router'
import { DetailPage } from '../../shell/detail-page.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { RunView } from './run-view.tsx'

export function RunPage() {
  const { id } = useParams({ from: '/shell/team-places/runs/$id' })
  const roomy = useIsRoomy()
  return (
    <DetailPage list={{ to: '/executions', search: { kind: 'code' }, name: 'Executions' }} noun="Run" id={id}>
      <RunView key={id} id={id} wide={roomy} />
    </DetailPage>
  )
}
