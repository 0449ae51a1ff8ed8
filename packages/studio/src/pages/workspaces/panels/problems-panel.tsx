import { CircleCheck, CircleX, Sparkles, TriangleAlert } from 'lucide-react'
import { useProblems, type Problem } from '../../../editor/problems.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'

interface ProblemsPanelProps {
  folder: string
  onOpen: (path: string, line: number) => void
  /** Has a model mend it, where one is set. */
  onFix: ((problem: Problem) => void) | undefined
}

/** What the languages find wrong in the programs of the workspace; each leads to its line. */
export function ProblemsPanel({ folder, onOpen, onFix }: ProblemsPanelProps) {
  const problems = useProblems(folder)
  if (problems.length === 0) {
    return (
      <Empty icon={CircleCheck} title="No problems">
        TypeScript and JavaScript are checked once a program is open, and JSON as it is typed.
      </Empty>
    )
  }
  const sorted = problems.toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
  return (
    <ul aria-label="Problems" className="py-1">
      {sorted.map((problem, index) => {
        const { path, line, column, severity, message } = problem
        const Icon = severity === 'error' ? CircleX : TriangleAlert
        return (
          <li key={index} className="flex items-start hover:bg-hover">
            <button
              type="button"
              onClick={() => onOpen(path, line)}
              className="flex min-w-0 flex-1 items-start gap-2 px-4 py-1 text-left text-dense focus-visible:-outline-offset-2 max-md:py-2"
            >
              <Icon
                aria-label={severity}
                className={
                  severity === 'error' ? 'mt-0.5 size-4 shrink-0 text-red' : 'mt-0.5 size-4 shrink-0 text-amber'
                }
              />
              <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
              <span className="shrink-0 text-small text-muted tabular">
                {path}:{line}:{column}
              </span>
            </button>
            {onFix && (
              <Button
                size="small"
                look="quiet"
                className="mr-2"
                aria-label={`Fix line ${line} of ${path}`}
                icon={<Sparkles aria-hidden />}
                onClick={() => onFix(problem)}
              >
                Fix
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
