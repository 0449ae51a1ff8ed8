import type { DefinitionVerdict } from '@coherex/contract'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { ErrorState } from '../../ui/error-state.tsx'

interface DefinitionCheckProps {
  verdict: DefinitionVerdict | undefined
  error: Error | null
  isChecking: boolean
  onShow: (line: number, column: number) => void
}

/** What is wrong with a definition, each line a way to its place, and what it still lacks here. */
export function DefinitionCheck({ verdict, error, isChecking, onShow }: DefinitionCheckProps) {
  if (!verdict) return error ? <ErrorState doing="check the definition" error={error} /> : null
  const { valid, problems, needs } = verdict
  return (
    <div className="flex flex-col gap-4 p-4 text-dense" aria-live="polite" aria-busy={isChecking}>
      {valid && (
        <p className="flex items-center gap-2 text-green">
          <CircleCheck aria-hidden className="size-4 shrink-0" /> The definition is valid.
        </p>
      )}
      {problems.length > 0 && (
        <ul aria-label="Problems" className="flex flex-col gap-1">
          {problems.map(({ line = 1, column = 1, path, message, hint }, index) => (
            <li key={index}>
              <button
                type="button"
                onClick={() => onShow(line, column)}
                className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
              >
                <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-red" />
                <span className="min-w-0 break-words">
                  {path && <code className="text-small font-medium">{path} </code>}
                  {message}
                  {hint && <span className="block text-small text-muted">{hint}</span>}
                  <span className="block text-small text-muted tabular">
                    line {line}, column {column}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {needs.length > 0 && (
        <section>
          <h2 className="mb-1 font-medium">It still needs</h2>
          <ul className="flex flex-col gap-1.5">
            {needs.map(({ kind, name, message }) => (
              <li key={kind + name} className="flex items-start gap-2">
                <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-amber" />
                <span className="min-w-0 break-words">{message}</span>
              </li>
            ))}
          </ul>
          <p className="mt-2 text-small text-muted">The agent stays a draft until it has these.</p>
        </section>
      )}
    </div>
  )
}
