import type { ProviderState } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { useSecretDelete } from '../../data/secret/secret-delete.ts'
import { useSecretPut } from '../../data/secret/secret-put.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Pill } from '../../ui/pill.tsx'
import { toast } from '../../ui/toast.ts'

interface ProviderCardProps {
  provider: ProviderState
  canChange: boolean
}

/** A provider: who set it up, its models, and where an admin enters the team's own key. */
export function ProviderCard({ provider, canChange }: ProviderCardProps) {
  const { id, title, setBy, names, models, problem } = provider
  const isLocal = id === 'ollama'
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
            {names.map((name) => (
              <SecretField key={name} name={name} isAddress={name.endsWith('_URL')} mayRemove={setBy === 'team'} />
            ))}
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

interface SecretFieldProps {
  name: string
  isAddress: boolean
  /** The team has set something up, so there may be a value to take away. */
  mayRemove: boolean
}

/** A value that can be written and not read. It is a secret of the team by that name. */
function SecretField({ name, isAddress, mayRemove }: SecretFieldProps) {
  const [value, setValue] = useState('')
  const put = useSecretPut()
  const remove = useSecretDelete()
  function submit(event: FormEvent) {
    event.preventDefault()
    put.mutate(
      { params: { name }, body: { value: value.trim() } },
      {
        onSuccess() {
          setValue('')
          toast({ title: `${name} is stored` })
        },
      },
    )
  }
  const Control = isAddress ? Input : PasswordInput
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Field label={isAddress ? 'Address' : 'Key'} hint={<code>{name}</code>}>
        <div className="flex gap-2">
          <div className="min-w-0 flex-1">
            <Control
              aria-label={name}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              placeholder={isAddress ? 'https://models.example.org/v1' : 'Write-only'}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          </div>
          <Button type="submit" disabled={value.trim() === ''} busy={put.isPending}>
            Store
          </Button>
          {mayRemove && (
            <Button
              look="danger-quiet"
              busy={remove.isPending}
              onClick={() =>
                remove.mutate(
                  { params: { name } },
                  {
                    onSuccess: () => toast({ title: `${name} is removed` }),
                    onError: (error) => toast({ title: error.message, tone: 'error' }),
                  },
                )
              }
            >
              Remove
            </Button>
          )}
        </div>
      </Field>
      <FormError error={put.error} />
    </form>
  )
}
