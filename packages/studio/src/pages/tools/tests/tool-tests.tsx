import type { ToolTest, ToolTestResult } from '@coherex/contract'
import { CircleAlert, CircleCheck, CircleDashed, FlaskConical, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { useToolTest } from '../../../data/library/tool.ts'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Code } from '../../../ui/text/code.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { addTest, removeTest } from '../edit-tool.ts'
import type { ToolDraft } from '../use-tool-draft.ts'
import { TestDialog } from './test-dialog.tsx'

interface ToolTestsProps {
  name: string
  /** The newest one, whose tests are run. */
  version: number
  draft: ToolDraft
  canEdit: boolean
}

/** The cases of a tool, and what came of them when they last ran here. */
export function ToolTests({ name, version, draft, canEdit }: ToolTestsProps) {
  const [adding, setAdding] = useState(false)
  const right = useRight('editor', 'run tests')
  const run = useToolTest()
  const tests = draft.verdict?.definition?.tests
  const results = run.data?.results
  const add = (
    <Button icon={<Plus aria-hidden />} disabled={!canEdit} onClick={() => setAdding(true)}>
      Add test
    </Button>
  )
  return (
    <div className="flex flex-col gap-4 p-4">
      <header className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-dense text-muted" aria-live="polite">
          {results ? describe(results) : 'A version is published when its tests pass.'}
        </p>
        {add}
        <Reason why={right.why}>
          <Button
            look="primary"
            icon={<Play aria-hidden />}
            disabled={!right.may || !tests?.length}
            busy={run.isPending}
            onClick={() =>
              run.mutate(
                { params: { name }, body: { version } },
                {
                  onError: (error) =>
                    toast({ title: 'The tests did not run', description: error.message, tone: 'error' }),
                },
              )
            }
          >
            Run tests of version {version}
          </Button>
        </Reason>
      </header>
      {draft.isChanged && (
        <Callout tone="warning">Version {version} is tested. Save your changes to test them.</Callout>
      )}
      {draft.verdict && !draft.verdict.definition && (
        <Callout tone="warning">tool.yaml is not valid: its tests are shown once it is.</Callout>
      )}
      {draft.verdict?.definition && !tests?.length && (
        <Empty icon={FlaskConical} title="No tests yet" action={add}>
          A test is an input with the output it must have. Try the tool and make a test of the run, or write one.
        </Empty>
      )}
      <ul aria-label="Tests" className="flex flex-col gap-2">
        {tests?.map((test) => (
          <Case
            key={test.name}
            test={test}
            result={results?.find((one) => one.name === test.name)}
            onDelete={canEdit ? () => draft.changeSource(removeTest(draft.source, test.name)) : undefined}
          />
        ))}
      </ul>
      {adding && (
        <TestDialog
          onClose={() => setAdding(false)}
          onAdd={(test) => draft.changeSource(addTest(draft.source, test))}
        />
      )}
    </div>
  )
}

interface CaseProps {
  test: ToolTest
  result: ToolTestResult | undefined
  onDelete: (() => void) | undefined
}

function Case({ test: { name, input, output, check }, result, onDelete }: CaseProps) {
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line p-3 text-dense">
      <div className="flex items-center gap-2">
        {result === undefined ? (
          <CircleDashed aria-label="Not run" className="size-4 shrink-0 text-muted" />
        ) : result.passed ? (
          <CircleCheck aria-label="Passed" className="size-4 shrink-0 text-green" />
        ) : (
          <CircleAlert aria-label="Failed" className="size-4 shrink-0 text-red" />
        )}
        <h3 className="min-w-0 flex-1 truncate font-medium">{name}</h3>
        {result && (
          <>
            <span className="text-small text-muted tabular">{Math.round(result.durationMs)} ms</span>
            <TextLink to="/runs/$id" params={{ id: result.runId }}>
              Run
            </TextLink>
          </>
        )}
        {onDelete && (
          <IconButton label={`Delete ${name}`} size="small" icon={<Trash2 aria-hidden />} onClick={onDelete} />
        )}
      </div>
      {result && !result.passed && <p className="break-words text-red">{result.message}</p>}
      <div className="grid grid-cols-2 gap-2 max-md:grid-cols-1">
        <Code label={`Input of ${name}`} text={JSON.stringify(input)} />
        {output !== undefined && <Code label={`Output of ${name}`} text={JSON.stringify(output)} />}
        {check !== undefined && <Code label={`Check of ${name}`} text={check} />}
      </div>
    </li>
  )
}

function describe(results: readonly ToolTestResult[]): string {
  const failed = results.filter(({ passed }) => !passed).length
  return failed === 0 ? `All ${results.length} passed` : `${failed} of ${results.length} failed`
}
