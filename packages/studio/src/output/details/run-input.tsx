import type { Run, RunProgram, VariableOrigin } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { runProgramQuery } from '../../data/run/run-program.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { visibleText } from '../../words/visible-text.ts'
import { JsonTree } from '../json-tree.tsx'
import { givenOptions } from './given-options.ts'

/** What a run was given beside its code. Of variables only their names: values are the business of whoever set them. */
export function RunInput({ run }: { run: Run }) {
  const program = useQuery(runProgramQuery(run.id))
  if (!program.data) {
    if (program.error)
      return <ErrorState doing="load the input" error={program.error} onRetry={() => void program.refetch()} />
    return <WaitingLines label="Loading the input" className="gap-2 p-4" lines={['h-3 w-40', 'h-3 w-64', 'h-3 w-52']} />
  }
  const { options, files } = program.data
  const { input, stdin, args = [] } = options
  const paths = Object.keys(files)
  return (
    <div className="flex flex-col gap-5 px-4 py-4 text-dense">
      <Part title="Input">
        {input === undefined ? (
          <p className="text-muted">None.</p>
        ) : (
          <div className="-ml-1">
            <JsonTree value={input} />
          </div>
        )}
      </Part>
      {stdin !== undefined && (
        <Part title="Standard input">
          <Lines label="Standard input" text={stdin} />
        </Part>
      )}
      {args.length > 0 && (
        <Part title="Arguments">
          <Lines label="Arguments" text={args.join('\n')} />
        </Part>
      )}
      {run.runtime?.variables && (
        <Part title="Variables">
          <ul className="flex flex-col gap-1.5">
            {run.runtime.variables.map(({ name, from }) => (
              <li key={name} className="grid grid-cols-[104px_1fr] gap-x-3">
                <span className="text-muted">{variableOrigins[from]}</span>
                <code className="min-w-0 text-small break-words">{name}</code>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {paths.length > 0 && (
        <Part title="Files">
          <Lines label="Files" text={paths.map(visibleText).join('\n')} />
        </Part>
      )}
      <Part title="Limits and options">
        <Options run={run} options={options} />
      </Part>
    </div>
  )
}

const variableOrigins: Record<VariableOrigin, string> = {
  run: 'of the run',
  sandbox: 'of the sandbox',
  agent: 'of the agent',
  tool: 'of the tool',
  workspace: 'of the workspace',
}

function Options({ run, options }: { run: Run; options: RunProgram['options'] }) {
  return (
    <dl className="grid grid-cols-[104px_1fr] items-baseline gap-x-3 gap-y-2">
      {givenOptions(options, run).map(({ name, value, isDefault }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className={`min-w-0 break-words whitespace-pre-line ${isDefault ? 'text-muted' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-1.5 font-medium">{title}</h2>
      {children}
    </section>
  )
}

const longest = 100_000

/** Text as it was given: what is long scrolls within its place. */
function Lines({ label, text }: { label: string; text: string }) {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={`${label}, as given`}
      className="max-h-40 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 text-small leading-5 [font-variant-ligatures:none] break-words whitespace-pre-wrap"
    >
      {text.length > longest ? `${text.slice(0, longest)}…` : text}
    </pre>
  )
}
