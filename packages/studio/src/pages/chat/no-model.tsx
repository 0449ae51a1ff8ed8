import { useRight } from '../../data/access/rights.ts'
import { Callout } from '../../ui/callout.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'

/** How to get a model, where there is none. */
export function NoModel() {
  const { may } = useRight('admin', 'add models')
  return (
    <div className="mb-2">
      <Callout tone="warning">
        Agents need a model, and there is none yet.{' '}
        {may ? (
          <>
            Add a key under <TextLink to="/settings/models">Settings, Models</TextLink>, or start Ollama on this
            machine.
          </>
        ) : (
          'Ask an admin of the team to add one under Settings, Models.'
        )}
      </Callout>
    </div>
  )
}
