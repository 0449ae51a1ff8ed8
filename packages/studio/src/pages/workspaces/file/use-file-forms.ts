import { useState } from 'react'
import { readStored, writeStored } from '../../../ui/state/stored.ts'

export type FileForm = 'rendered' | 'source'
type RenderedKind = 'markdown' | 'table' | 'svg' | 'html' | 'notebook'

const kinds: Record<string, RenderedKind> = {
  md: 'markdown',
  markdown: 'markdown',
  csv: 'table',
  tsv: 'table',
  svg: 'svg',
  html: 'html',
  htm: 'html',
  ipynb: 'notebook',
}

/** How a text can be rendered, by its name; undefined when it is its own form. */
export function renderedKind(path: string): RenderedKind | undefined {
  return path.includes('.') ? kinds[path.split('.').at(-1)?.toLowerCase() ?? ''] : undefined
}

/** Whether files are shown rendered or as their source: a choice holds for all files of a kind, and is remembered. */
export function useFileForms() {
  const [chosen, setChosen] = useState<Partial<Record<RenderedKind, FileForm>>>({})
  // a line to point at is in the source; leading there is no choice
  const [led, setLed] = useState<string>()
  return {
    get(path: string): FileForm {
      const kind = renderedKind(path)
      if (!kind || led === path) return 'source'
      const last = chosen[kind] ?? readStored(`form.${kind}`)
      // notes and tables are mostly read, notebooks are worked in as cells, pages and drawings mostly written
      const first = kind === 'svg' || kind === 'html' ? 'source' : 'rendered'
      return last === 'rendered' || last === 'source' ? last : first
    },
    lead: setLed,
    choose(path: string, form: FileForm) {
      const kind = renderedKind(path)
      if (!kind) return
      setLed(undefined)
      setChosen({ ...chosen, [kind]: form })
      writeStored(`form.${kind}`, form)
    },
  }
}
