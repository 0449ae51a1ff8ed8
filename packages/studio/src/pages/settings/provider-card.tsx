import type { ProviderState } from '@coherex/contract'
import { CircleCheck } from 'lucide-react'
import { useModelCheck } from '../../data/library/model.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Pill } from '../../ui/pill.tsx'
import { SecretField } from './secret-field.tsx'

interface ProviderCardProps {
  provider: ProviderState
  canChange: boolean
}

/** A provider: who set it up, its models, and where an admin enters the team's own key. */
export function ProviderCard({ provider, canChange }: ProviderCardProps) {
  const { id, title, setBy, names, ownNames, models, problem } = provider
  const check = useModelCheck()
  const isLocal = id === 'ollama'
  const isUnused = setBy !== 'team' && ownNames.length > 0
  return (
    <Card
      title={title}
      description={describe(provider)}
      actions={
        <Pill tone={problem ? 'amber' : setBy ? 'green' : 'grey'}>{problem ? 'problem' : stateWord(provider)}</Pill>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Callout tone="warning">{problem}</Callout>}
        {setBy && models.length > 0 && (
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-dense">
            {models.slice(0, mostShown).map((model) => (
              <li key={model.name} title={model.name}>
                {model.title}
                {model.price && (
                  <span className="text-muted tabular">
                    {' '}
                    ${model.price.input} in, ${model.price.output} out
                  </span>
                )}
              </li>
            ))}
            {models.length > mostShown && <li className="text-muted">and {models.length - mostShown} more</li>}
          </ul>
        )}
        {setBy && models.some(({ price }) => price) && (
          <p className="-mt-2 text-small text-muted">US dollars for a million tokens.</p>
        )}
        {isLocal ? (
          !setBy && (
            <p className="text-dense text-muted">
              Install it from ollama.com and pull a model; it is found by itself. The operator names another address
              with <code>OLLAMA_HOST</code>.
            </p>
          )
        ) : canChange ? (
          <div className="flex flex-col gap-3">
            {isUnused && (
              <Callout tone="warning">
                The team’s key is not used: it goes with an address of the team’s own, and there is none.
              </Callout>
            )}
            {names.map((name) => (
              <SecretField
                key={name}
                name={name}
                isAddress={name.endsWith('_URL')}
                isSet={ownNames.includes(name)}
                onStored={() => check.mutate({ body: { provider: id } })}
                onRemoved={check.reset}
              />
            ))}
            {setBy && (
              <div className="flex flex-wrap items-center gap-3" aria-live="polite">
                <Button busy={check.isPending} onClick={() => check.mutate({ body: { provider: id } })}>
                  Check {title}
                </Button>
                <CheckResult check={check} />
              </div>
            )}
          </div>
        ) : (
          !setBy && (
            <p className="text-dense text-muted">
              An admin of the team, or whoever runs this installation, can add it.
            </p>
          )
        )}
      </div>
    </Card>
  )
}

function CheckResult({ check: { isPending, error, data } }: { check: ReturnType<typeof useModelCheck> }) {
  if (isPending) return null
  if (error) return <FormError error={error} />
  if (!data) return null
  return data.problem === null ? (
    <p className="flex items-center gap-1.5 text-dense text-green">
      <CircleCheck aria-hidden className="size-4 shrink-0" /> It answered.
    </p>
  ) : (
    <Callout tone="warning">{data.problem}</Callout>
  )
}

const mostShown = 12

function describe({ setBy, id }: ProviderState): string {
  if (setBy === 'team') return 'The team’s own key.'
  if (setBy === 'operator') return id === 'ollama' ? 'Found by itself.' : 'Set up for everyone on this installation.'
  return id === 'ollama' ? 'Not found.' : 'With a key of the team’s own, or one that the operator set for everyone.'
}

function stateWord({ setBy }: ProviderState): string {
  if (setBy === 'team') return 'set by the team'
  return setBy === 'operator' ? 'set by the operator' : 'not set up'
}
