import { CoherexError, describeFailures, sampleOf } from '@coherex/contract'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useMemo } from 'react'
import { useValueCheck } from '../../../data/library/tool.ts'
import { useSettled } from '../../../ui/state/use-settled.ts'
import { Code } from '../../../ui/text/code.tsx'

const settleMs = 300

/** A value made from a schema, and whether the server takes it. */
export function Sample({ schema }: { schema: unknown }) {
  const value = useMemo(() => sampleOf(schema), [schema])
  const json = useSettled(
    useMemo(() => JSON.stringify({ schema, value: value ?? null }), [schema, value]),
    settleMs,
  )
  const { data, error } = useValueCheck(json)
  const wrong =
    error instanceof CoherexError
      ? error.message
      : data?.failures.length
        ? `The sample does not fit: ${describeFailures(data.failures)}`
        : undefined
  return (
    <section aria-label="Sample" className="flex min-w-0 flex-col gap-2">
      <h3 className="text-dense font-medium">Sample</h3>
      <Code label="Sample of the schema" text={JSON.stringify(value ?? null, null, 2)} />
      <p aria-live="polite" className="flex items-start gap-1.5 text-small">
        {wrong ? (
          <>
            <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0 text-red" />
            <span className="min-w-0 break-words text-red">{wrong}</span>
          </>
        ) : (
          data && (
            <>
              <CircleCheck aria-hidden className="mt-px size-3.5 shrink-0 text-green" /> The sample fits the schema.
            </>
          )
        )}
      </p>
    </section>
  )
}
