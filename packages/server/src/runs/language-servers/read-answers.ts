import {
  completionKinds,
  type Completion,
  type LanguageAnswers,
  type LanguageProblem,
  type LanguageSignature,
  type TextRange,
  type TextReplacement,
} from '@coherex/contract'
import { z } from 'zod'

/*
 * What a language server answers, made into what editors are told. It ran beside files of others, so that each text is cut and each
 * list is counted.
 */

const most = { completions: 400, problems: 300, signatures: 20, parameters: 100, places: 50, edits: 20 }
const longest = { label: 300, markdown: 20_000, insert: 10_000, message: 2_000 }

const cut = (length: number) => z.string().transform((text) => text.slice(0, length))
const position = z.object({ line: z.number().int().min(0), character: z.number().int().min(0) })
const range = z
  .object({ start: position, end: position })
  .transform(({ start, end }): TextRange => ({ start: toPlace(start), end: toPlace(end) }))
const edit = z
  .object({ range, newText: cut(longest.insert) })
  .transform((one): TextReplacement => ({ range: one.range, text: one.newText }))
const markup = z
  .union([cut(longest.markdown), z.object({ kind: z.string().optional(), value: cut(longest.markdown) })])
  .transform((value) => (typeof value === 'string' ? value : value.value))

const completionItem = z
  .object({
    label: cut(longest.label),
    kind: z.number().optional().catch(undefined),
    labelDetails: z
      .object({ detail: cut(longest.label).optional(), description: cut(longest.label).optional() })
      .optional(),
    detail: cut(longest.label).optional(),
    insertText: cut(longest.insert).optional(),
    textEdit: edit.optional().catch(undefined),
    sortText: cut(longest.label).optional(),
    filterText: cut(longest.label).optional(),
    tags: z.array(z.number()).max(10).optional().catch(undefined),
    additionalTextEdits: z.array(edit).max(most.edits).optional().catch(undefined),
  })
  .transform((item): Completion => {
    const detail = item.labelDetails?.description ?? item.labelDetails?.detail ?? item.detail
    return {
      label: item.label,
      kind: completionKinds[(item.kind ?? 1) - 1] ?? 'text',
      insert: item.textEdit?.text ?? item.insertText ?? item.label,
      ...(detail && { detail }),
      ...(item.textEdit && { range: item.textEdit.range }),
      ...(item.sortText && { sort: item.sortText }),
      ...(item.filterText && { filter: item.filterText }),
      ...(item.tags?.includes(1) && { isDeprecated: true }),
      ...(item.additionalTextEdits?.length && { edits: item.additionalTextEdits }),
    }
  })

/** The completions, and the items as the server knows them, for whoever asks for more about one. */
export function readCompletion(value: unknown): { answer: LanguageAnswers['completion']; items: unknown[] } {
  const list = z
    .union([z.array(z.unknown()), z.object({ items: z.array(z.unknown()), isIncomplete: z.boolean().optional() })])
    .safeParse(value).data
  if (!list) return { answer: null, items: [] }
  const all = Array.isArray(list) ? list : list.items
  const first = all.slice(0, most.completions)
  const read = first.flatMap((item) => {
    const completion = completionItem.safeParse(item).data
    return completion ? [{ item, completion }] : []
  })
  const isIncomplete = all.length > first.length || (!Array.isArray(list) && list.isIncomplete === true)
  return {
    answer: { items: read.map(({ completion }) => completion), isIncomplete },
    items: read.map(({ item }) => item),
  }
}

export function readDescription(value: unknown): LanguageAnswers['describe'] {
  const item = z
    .object({
      documentation: markup.optional().catch(undefined),
      additionalTextEdits: z.array(edit).max(most.edits).optional().catch(undefined),
    })
    .safeParse(value).data
  if (!item?.documentation && !item?.additionalTextEdits) return null
  return { markdown: item.documentation ?? '', ...(item.additionalTextEdits && { edits: item.additionalTextEdits }) }
}

export function readHover(value: unknown): LanguageAnswers['hover'] {
  const hover = z.object({ contents: markup, range: range.optional().catch(undefined) }).safeParse(value).data
  if (!hover || hover.contents === '') return null
  return { markdown: hover.contents, ...(hover.range && { range: hover.range }) }
}

const parameter = z
  .object({
    label: z.union([cut(longest.label), z.tuple([z.number().int(), z.number().int()])]),
    documentation: markup.optional().catch(undefined),
  })
  .transform(({ label, documentation = '' }) => ({ label, markdown: documentation }))
const signature = z
  .object({
    label: cut(4 * longest.label),
    documentation: markup.optional().catch(undefined),
    parameters: z.array(parameter).max(most.parameters).catch([]),
    activeParameter: z.number().int().nullish(),
  })
  .transform(({ label, documentation = '', parameters, activeParameter }) => ({
    value: { label, markdown: documentation, parameters } satisfies LanguageSignature,
    activeParameter,
  }))

export function readSignature(value: unknown): LanguageAnswers['signature'] {
  const help = z
    .object({
      signatures: z.array(signature),
      activeSignature: z.number().int().min(0).nullish().catch(0),
      activeParameter: z.number().int().nullish().catch(0),
    })
    .safeParse(value).data
  if (!help || help.signatures.length === 0) return null
  const signatures = help.signatures.slice(0, most.signatures)
  const active = Math.min(help.activeSignature ?? 0, signatures.length - 1)
  const activeParameter = Math.max(0, signatures[active]?.activeParameter ?? help.activeParameter ?? 0)
  return { signatures: signatures.map((one) => one.value), active, activeParameter }
}

const location = z.union([
  z.object({ uri: z.string(), range }),
  z
    .object({ targetUri: z.string(), targetSelectionRange: range })
    .transform((link) => ({ uri: link.targetUri, range: link.targetSelectionRange })),
])

/** Places of the workspace alone: `toPath` knows no others. */
export function readDefinition(
  value: unknown,
  toPath: (uri: string) => string | undefined,
): LanguageAnswers['definition'] {
  const found = (Array.isArray(value) ? value : [value]).slice(0, most.places).flatMap((one) => {
    const place = location.safeParse(one).data
    const path = place && toPath(place.uri)
    return place && path !== undefined ? [{ path, range: place.range }] : []
  })
  return found.length > 0 ? found : null
}

const severities = ['error', 'warning', 'info', 'hint'] as const
const diagnostic = z
  .object({
    range,
    message: cut(longest.message),
    severity: z.number().optional().catch(undefined),
    code: z.union([z.string(), z.number()]).optional().catch(undefined),
    tags: z.array(z.number()).max(10).optional().catch(undefined),
  })
  .transform((one): LanguageProblem => {
    const tags = (one.tags ?? []).flatMap((tag) =>
      tag === 1 ? ['unnecessary' as const] : tag === 2 ? ['deprecated' as const] : [],
    )
    return {
      range: one.range,
      severity: severities[(one.severity ?? 1) - 1] ?? 'info',
      message: one.message,
      ...(one.code !== undefined && { code: String(one.code).slice(0, 100) }),
      ...(tags.length > 0 && { tags }),
    }
  })

export function readProblems(
  params: unknown,
  toPath: (uri: string) => string | undefined,
): { path: string; problems: LanguageProblem[] } | undefined {
  const told = z.object({ uri: z.string(), diagnostics: z.array(z.unknown()) }).safeParse(params).data
  const path = told && toPath(told.uri)
  if (!told || path === undefined) return undefined
  const problems = told.diagnostics.slice(0, most.problems).flatMap((one) => diagnostic.safeParse(one).data ?? [])
  return { path, problems }
}

function toPlace({ line, character }: { line: number; character: number }) {
  return { line: line + 1, column: character + 1 }
}
