import { classNames } from './class-names.ts'

/** A unified diff. Signs say what the colours say. */
export function DiffView({ diff, label = 'Changes' }: { diff: string; label?: string }) {
  const lines = diff
    .replace(/^(?:Index: .*\n)?=+\n/, '')
    .replace(/\n$/, '')
    .split('\n')
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-120 overflow-auto rounded-md border border-line bg-surface py-1 text-small leading-5 [font-variant-ligatures:none]"
    >
      <code className="block w-max min-w-full">
        {lines.map((line, index) => (
          <span key={index} className={classNames('block px-3', lineClass(line))}>
            {line || ' '}
          </span>
        ))}
      </code>
    </pre>
  )
}

function lineClass(line: string): string | undefined {
  if (/^(?:---|\+\+\+|@@|\\)/.test(line)) return 'text-muted'
  if (line.startsWith('+')) return 'bg-green-soft text-green'
  if (line.startsWith('-')) return 'bg-red-soft text-red'
  return undefined
}
