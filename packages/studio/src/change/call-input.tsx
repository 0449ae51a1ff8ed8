import { useMemo } from 'react'
import { CodeLines } from './code-lines.tsx'
import { FileChange } from './file-change.tsx'
import { diffOfEdit, readCall } from './read-call.ts'
import { VisibleText } from './visible-text.tsx'

/** What a call was given: code as code, a change as a change, the rest by name. Nothing in it is invisible. */
export function CallInput({ tool, input }: { tool: string; input: unknown }) {
  const { code, edit, fields } = useMemo(() => readCall(tool, input), [tool, input])
  const diff = useMemo(() => edit && diffOfEdit(edit), [edit])
  return (
    <>
      {code && (
        <>
          {code.title && (
            <p className="border-b border-line bg-sunken px-3 py-1.5 font-mono text-small font-medium wrap-anywhere">
              <VisibleText text={code.title} />
            </p>
          )}
          <CodeLines text={code.text} language={code.language} label="Arguments" />
        </>
      )}
      {edit && diff && (
        <div className="p-2">
          <FileChange path={edit.path} change="changed" binary={false} diff={diff} hideNumbers isBounded />
        </div>
      )}
      {fields.length > 0 && <Fields fields={fields} label={code || edit ? 'More arguments' : 'Arguments'} />}
    </>
  )
}

type Entry = readonly [name: string, value: unknown]
const deepest = 5

function Fields({ fields, label, depth = 0 }: { fields: readonly Entry[]; label?: string; depth?: number }) {
  return (
    <dl
      aria-label={label}
      className="grid min-w-0 grid-cols-[auto_1fr] gap-x-4 gap-y-1 px-3 py-2 text-small [&_dl]:px-0 [&_dl]:py-0"
    >
      {fields.map(([name, value], index) => (
        <div key={index} className="contents">
          <dt className="text-muted">
            <VisibleText text={name} />
          </dt>
          <dd className="min-w-0">
            <Value name={name} value={value} depth={depth} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  if (typeof value === 'string' && value.includes('\n')) {
    return (
      <div className="overflow-clip rounded-md border border-line bg-sunken">
        <CodeLines text={value} language="" label={name} />
      </div>
    )
  }
  if (typeof value === 'object' && value !== null && depth < deepest) {
    const entries: Entry[] = Array.isArray(value)
      ? value.map((one, index) => [String(index + 1), one] as const)
      : Object.entries(value)
    return entries.length === 0 ? (
      <span className="text-muted">none</span>
    ) : (
      <Fields fields={entries} depth={depth + 1} />
    )
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return (
    <span className="font-mono wrap-anywhere whitespace-pre-wrap">
      <VisibleText text={text} />
    </span>
  )
}
