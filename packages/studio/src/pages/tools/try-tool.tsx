import { CoherexError, describeFailures, sampleOf, type Tool, type ToolDetails, type ToolTest } from '@coherex/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Cell } from '../../cell/cell.tsx'
import { InputFields } from '../../cell/options/input-fields.tsx'
import type { InputSchema } from '../../cell/options/input-schema.ts'
import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'
import { callTool } from '../../data/library/tool-call.ts'
import { toolVersionQuery, useToolVersions, useValueCheck } from '../../data/library/tool.ts'
import { refetchNouns } from '../../data/query/noun.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Select } from '../../ui/field/select.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import { useSettled } from '../../ui/state/use-settled.ts'
import { TextLink } from '../../ui/text/text-link.tsx'

interface TryToolProps {
  tool: Tool
  isChanged: boolean
  onMakeTest: ((test: ToolTest) => void) | undefined
}

/** Calls a version of the tool: its input as a form made from the schema, its output as it comes. */
export function TryTool({ tool, isChanged, onMakeTest }: TryToolProps) {
  const { name, newestVersion } = tool
  const [chosen, setChosen] = useState<number>()
  const version = chosen ?? newestVersion
  const details = useQuery({ ...toolVersionQuery(name, version), placeholderData: keepPreviousData })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-3">
      {isChanged && <Callout tone="warning">Version {version} is tried. Save your changes to try them.</Callout>}
      {tool.status === 'deprecated' && <Callout tone="warning">Deprecated: {tool.deprecation}</Callout>}
      {details.data && (
        <TryVersion
          key={name}
          name={name}
          details={details.data}
          picker={<VersionPicker tool={tool} version={version} onPick={setChosen} />}
          onMakeTest={onMakeTest}
        />
      )}
    </div>
  )
}

interface VersionPickerProps {
  tool: Tool
  version: number
  onPick: (version: number) => void
}

function VersionPicker({ tool, version, onPick }: VersionPickerProps) {
  const numbers = useToolVersions(tool.name).items?.map((one) => one.version) ?? []
  return (
    <Select
      label="Version to try"
      size="small"
      className="w-auto!"
      value={String(version)}
      choices={(numbers.includes(version) ? numbers : [version, ...numbers]).map((number) => ({
        value: String(number),
        label: number === tool.version ? `version ${number} (published)` : `version ${number}`,
      }))}
      onChange={(next) => onPick(Number(next))}
    />
  )
}

interface TryVersionProps {
  name: string
  details: ToolDetails
  picker: ReactNode
  onMakeTest: TryToolProps['onMakeTest']
}

const settleMs = 300

function TryVersion({ name, details, picker, onMakeTest }: TryVersionProps) {
  const { version, definition, input: schema } = details
  const teamId = useMe().team?.id ?? ''
  const draft = useDraft<{ text?: string }>(`tool-input.${teamId}.${name}`, {})
  const text = draft.value.text ?? JSON.stringify(firstInput(details), null, 2)
  const right = useRight('editor', 'call tools')
  const [runId, setRunId] = useState<string>()
  const queryClient = useQueryClient()
  const input = parse(text)
  const wrong = useWrongInput(schema, input)
  const call = useMutation({
    mutationFn: (given: { input: unknown }) =>
      callTool({ name, version, input: given.input }, { signal: new AbortController().signal, onStart: setRunId }),
    onMutate: () => setRunId(undefined),
    onSettled: () => refetchNouns(queryClient, ['run', 'execution', 'tool']),
  })
  const { data: answer, variables: called } = call
  const run = () => {
    if (input !== undefined && !call.isPending) call.mutate({ input: input.value })
  }
  const isDone = answer?.run.status === 'succeeded' && called !== undefined
  return (
    <>
      <Cell
        label={`Try ${name}`}
        folder={`tools/${name}/try`}
        source=""
        language={definition.language}
        languages={[]}
        isEditing={false}
        onEdit={() => undefined}
        onRun={run}
        mayRun={right}
        isStarting={call.isPending && runId === undefined}
        runId={runId}
        takesInput
        options={picker}
        actions={
          runId && (
            <TextLink to="/runs/$id" params={{ id: runId }}>
              Details
            </TextLink>
          )
        }
        body={
          <form
            className="grid gap-3 p-3"
            onSubmit={(event) => event.preventDefault()}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
            }}
          >
            <InputFields
              schema={typeof schema === 'boolean' ? undefined : (schema as InputSchema)}
              text={text}
              error={input ? undefined : 'Not JSON'}
              onChange={(next) => draft.change({ text: next })}
            />
            {wrong && <p className="text-small text-red">{wrong}</p>}
          </form>
        }
        note={<Refusal error={call.error} />}
      />
      {isDone && onMakeTest && (
        <div>
          <Button
            size="small"
            icon={<FlaskConical aria-hidden />}
            onClick={() =>
              onMakeTest({ name: 'from a run', input: called.input as never, output: answer.output as never })
            }
          >
            Make a test from this run
          </Button>
        </div>
      )}
    </>
  )
}

/** Why it did not run. */
function Refusal({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <p role="alert" className="border-t border-line bg-red-soft px-3 py-2 text-dense text-red">
      {error.message}
    </p>
  )
}

/** What of the input does not fit, said before it is sent. */
function useWrongInput(schema: ToolDetails['input'], input: { value: unknown } | undefined): string | undefined {
  const json = useSettled(input && JSON.stringify({ schema, value: input.value }), settleMs)
  const { data, error } = useValueCheck(json)
  if (error instanceof CoherexError && error.code === 'invalid_input') return error.message
  return data?.json === json && data?.failures.length ? describeFailures(data.failures) : undefined
}

function firstInput({ definition: { example, tests }, input }: ToolDetails): unknown {
  return example ?? tests?.[0]?.input ?? sampleOf(input) ?? {}
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? {} : JSON.parse(text) }
  } catch {
    return undefined
  }
}
