import { lazy, Suspense, useState } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { classNames } from '../ui/class-names.ts'
import { WaitingLines } from '../ui/skeleton.tsx'
import { displayForms, type DisplayForm } from './display-forms.ts'
import { HtmlFrame } from './html-frame.tsx'
import { JsonTree } from './json-tree.tsx'

const Drawing = lazy(async () => ({ default: (await import('./drawing.tsx')).Drawing }))

const FrameTable = lazy(async () => ({ default: (await import('./frame-table.tsx')).FrameTable }))

// more is not read as Markdown, which takes longer the longer it is
const longestMarkdown = 10_000

/** Something a run showed richly, in the form the reader prefers. */
export function DisplayBlock({ data }: { data: Record<string, unknown> }) {
  const [picked, setPicked] = useState(0)
  const forms = displayForms(data)
  const form = forms[picked] ?? forms[0]
  if (!form) return null
  return (
    <figure className="group/display relative my-1 rounded-md border border-line bg-surface px-3 py-1">
      {forms.length > 1 && (
        <div
          role="group"
          aria-label="Form"
          className="absolute top-1 right-1 z-10 flex rounded-md border border-line bg-raised opacity-0 transition-opacity group-focus-within/display:opacity-100 group-hover/display:opacity-100"
        >
          {forms.map(({ label }, index) => (
            <button
              key={label}
              type="button"
              aria-pressed={index === picked}
              onClick={() => setPicked(index)}
              className={classNames(
                'rounded-md px-2 py-0.5 text-small',
                index === picked ? 'bg-pressed font-medium text-text' : 'text-muted hover:text-text',
              )}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      <Form form={form} alt={describe(forms)} />
    </figure>
  )
}

function Form({ form, alt }: { form: DisplayForm; alt: string }) {
  switch (form.kind) {
    case 'frame':
      return (
        <Suspense
          fallback={<WaitingLines label="Loading the table" className="gap-2 py-1" lines={['h-4 w-60', 'h-4 w-72']} />}
        >
          <FrameTable name="table" frame={form.frame} />
        </Suspense>
      )
    case 'html':
      return <HtmlFrame html={form.text} />
    case 'drawing':
      return (
        <Suspense>
          <Drawing kind={form.drawing} code={form.code} title={alt} />
        </Suspense>
      )
    case 'sound':
      return <audio controls src={form.url} aria-label={alt} className="my-1 w-full max-w-120" />
    case 'film':
      return <video controls src={form.url} aria-label={alt} className="my-1 max-h-160 max-w-full rounded-sm" />
    case 'image':
      // plots are drawn for white paper
      return <img src={form.url} alt={alt} className="my-1 max-h-160 max-w-full rounded-sm bg-[#ffffff]" />
    case 'json':
      return (
        <div className="py-1">
          <JsonTree value={form.value} />
        </div>
      )
    case 'markdown':
      if (form.text.length > longestMarkdown) return <Plain text={form.text} />
      return (
        <div className="py-1">
          <Markdown text={form.text} />
        </div>
      )
    case 'text':
      return <Plain text={form.text} />
  }
}

function Plain({ text }: { text: string }) {
  return (
    <pre className="max-h-120 overflow-auto py-1 text-small leading-5 break-words whitespace-pre-wrap">
      {text.length > 100_000 ? `${text.slice(0, 100_000)}…` : text}
    </pre>
  )
}

function describe(forms: readonly DisplayForm[]): string {
  const text = forms.find((form) => form.kind === 'text')
  const what = { image: 'Image', drawing: 'Chart', sound: 'Sound', film: 'Film' }[forms[0]?.kind as string] ?? 'Output'
  return text ? `${what}: ${text.text.slice(0, 200)}` : `${what} shown by the run`
}
