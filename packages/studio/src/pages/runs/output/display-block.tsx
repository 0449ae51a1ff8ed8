import { useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { displayForms, type DisplayForm } from './display-forms.ts'
import { HtmlFrame } from './html-frame.tsx'
import { JsonTree } from './json-tree.tsx'

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
    case 'html':
      return <HtmlFrame html={form.text} />
    case 'image':
      // plots are drawn for white paper
      return <img src={form.url} alt={alt} className="my-1 max-h-160 max-w-full rounded-sm bg-[#ffffff]" />
    case 'json':
      return (
        <div className="py-1">
          <JsonTree value={form.value} />
        </div>
      )
    case 'text':
      return (
        <pre className="max-h-120 overflow-auto py-1 text-small leading-5 break-words whitespace-pre-wrap">
          {form.text.length > 100_000 ? `${form.text.slice(0, 100_000)}…` : form.text}
        </pre>
      )
  }
}

function describe(forms: readonly DisplayForm[]): string {
  const text = forms.find((form) => form.kind === 'text')
  return text ? `Image: ${text.text.slice(0, 200)}` : 'Image shown by the run'
}
