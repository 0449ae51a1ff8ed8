import type { DefinitionProblem } from '@coherex/contract'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { ErrorState } from '../../ui/error-state.tsx'

type FolderProblem = DefinitionProblem & { file: string }

interface FolderCheckProps {
  noun: 'skill' | 'tool'
  verdict: FolderVerdict | undefined
  error: Error | null
  isChecking: boolean
  onShow: (problem: FolderProblem) => void
}

interface FolderVerdict {
  valid: boolean
  problems: readonly FolderProblem[]
  warnings?: readonly FolderProblem[]
}

/** What is wrong with the folder of a skill or a tool and what is worth knowing, each line a way to its place. */
export function FolderCheck({ noun, verdict, error, isChecking, onShow }: FolderCheckProps) {
  if (!verdict) return error ? <ErrorState doing={`check the ${noun}`} error={error} /> : null
  return (
    <div className="flex flex-col gap-4 p-4 text-dense" aria-live="polite" aria-busy={isChecking}>
      {verdict.valid && (
        <p className="flex items-center gap-2 text-green">
          <CircleCheck aria-hidden className="size-4 shrink-0" /> The {noun} is valid.
        </p>
      )}
      <Lines label="Problems" problems={verdict.problems} tone="problem" onShow={onShow} />
      <Lines label="Worth knowing" problems={verdict.warnings ?? []} tone="warning" onShow={onShow} />
    </div>
  )
}

interface LinesProps {
  label: string
  problems: readonly FolderProblem[]
  tone: 'problem' | 'warning'
  onShow: (problem: FolderProblem) => void
}

function Lines({ label, problems, tone, onShow }: LinesProps) {
  if (problems.length === 0) return null
  const Icon = tone === 'problem' ? CircleAlert : TriangleAlert
  return (
    <ul aria-label={label} className="flex flex-col gap-1">
      {problems.map((problem, index) => (
        <li key={index}>
          <button
            type="button"
            onClick={() => onShow(problem)}
            className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
          >
            <Icon
              aria-hidden
              className={tone === 'problem' ? 'mt-0.5 size-4 shrink-0 text-red' : 'mt-0.5 size-4 shrink-0 text-amber'}
            />
            <span className="min-w-0 break-words">
              {problem.path && <code className="text-small font-medium">{problem.path} </code>}
              {problem.message}
              {problem.hint && <span className="block text-small text-muted">{problem.hint}</span>}
              <span className="block text-small text-muted tabular">
                {problem.file || 'The folder'}
                {problem.line !== undefined && `, line ${problem.line}, column ${problem.column ?? 1}`}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
