import type { ConsentDetails, ConsentRequest, Scope } from '@coherex/contract'
import { useState } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useConsentDecide, useConsentDetails } from '../../data/library/mcp.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Select } from '../../ui/field/select.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { EntryLayout } from './entry-layout.tsx'

const scopeWords: Partial<Record<Scope, { label: string; hint: string }>> = {
  read: { label: 'Read', hint: 'Files of workspaces and sandboxes, and which agents and skills there are' },
  run: { label: 'Run', hint: 'Code, sandboxes, published tools and agents' },
  write: { label: 'Write', hint: 'Change files of workspaces' },
}

/** Where an MCP client sends a person, who lets it into one team or refuses. */
export function ConsentPage() {
  const [request] = useState(readRequest)
  const details = useConsentDetails(request)
  if (details.error)
    return (
      <EntryLayout title="This client cannot be let in" description="Nothing was granted. Begin again in the client.">
        <FormError error={details.error} />
      </EntryLayout>
    )
  if (!details.data)
    return (
      <EntryLayout title="Let a client in?">
        <WaitingLines label="Loading what the client asks for" className="gap-3" lines={['h-4 w-64', 'h-8 w-full']} />
      </EntryLayout>
    )
  return <Consent request={request} details={details.data} />
}

function Consent({ request, details }: { request: ConsentRequest; details: ConsentDetails }) {
  const { person, team } = useMe()
  const decide = useConsentDecide()
  const { client, redirectsTo, teams } = details
  const [teamId, setTeamId] = useState(teams.find(({ id }) => id === team?.id)?.id ?? teams[0]?.id ?? '')
  const [scopes, setScopes] = useState<readonly Scope[]>(details.scopes)
  const leave = { onSuccess: ({ redirectTo }: { redirectTo: string }) => window.location.assign(redirectTo) }
  if (decide.isSuccess)
    return <EntryLayout title="Done" description={`You are sent back to ${redirectsTo}. You can close this page.`} />
  return (
    <EntryLayout
      title={`Let ${client.name} in?`}
      description={
        <>
          It acts as {person.name} in one team, and never with more rights than you have there. The answer goes to{' '}
          <strong className="font-medium text-text">{redirectsTo}</strong>.
        </>
      }
      footer={
        client.site
          ? `The name comes from ${client.site}. You can take this back at any time in Settings, MCP.`
          : 'The client chose this name by itself: go on only if you have just started it. You can take this back at any time in Settings, MCP.'
      }
    >
      <div className="flex flex-col gap-5">
        <Field label="Team">
          <Select
            label="Team"
            value={teamId}
            onChange={setTeamId}
            choices={teams.map(({ id, name, role }) => ({ value: id, label: name, hint: role }))}
          />
        </Field>
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 text-dense font-medium">It may</legend>
          {details.scopes.map((scope) => (
            <Checkbox
              key={scope}
              checked={scopes.includes(scope)}
              hint={scopeWords[scope]?.hint}
              onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
            >
              {scopeWords[scope]?.label ?? scope}
            </Checkbox>
          ))}
        </fieldset>
        <FormError error={decide.error} />
        <div className="flex gap-2">
          <Button
            look="primary"
            className="h-10! flex-1"
            busy={decide.isPending}
            disabled={scopes.length === 0 || teamId === ''}
            onClick={() => decide.mutate({ body: { decision: 'grant', request, teamId, scopes: [...scopes] } }, leave)}
          >
            Let it in
          </Button>
          <Button
            className="h-10! flex-1"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ body: { decision: 'refuse', request } }, leave)}
          >
            Refuse
          </Button>
        </div>
      </div>
    </EntryLayout>
  )
}

const fields = [
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] as const satisfies (keyof ConsentRequest)[]

/** As the client wrote it: the router would take a state of digits for a number. */
function readRequest(): ConsentRequest {
  const search = new URLSearchParams(window.location.search)
  const given = fields.flatMap((name) => {
    const value = search.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    client_id: search.get('client_id') ?? '',
    redirect_uri: search.get('redirect_uri') ?? '',
    response_type: search.get('response_type') ?? '',
    ...Object.fromEntries(given),
  }
}
