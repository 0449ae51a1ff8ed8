import { setImmediate } from 'node:timers/promises'
import { diffText, type TextEdit } from '../document/edit-text.ts'
import { entryOf, textOf } from '../document/file-tree.ts'
import type { WorkspaceDocument } from '../document/workspace-document.ts'
import type { Content } from './change-files.ts'

/** Edits of many texts, found before the change is made. */
export type EditPlan = Map<string, { before: string; edits: TextEdit[] }>

/** Finds them one text after the other, so that others have their turn between two: a change itself is made in one go. */
export async function planEdits({ doc }: WorkspaceDocument, contents: Map<string, Content>): Promise<EditPlan> {
  const plan: EditPlan = new Map()
  for (const [path, content] of contents) {
    const entry = content.kind === 'text' ? entryOf(doc, path) : undefined
    if (content.kind !== 'text' || entry?.kind !== 'text') continue
    const before = textOf(doc, entry.id).toString()
    plan.set(path, { before, edits: diffText(before, content.text) })
    await setImmediate()
  }
  return plan
}

/** As planned, unless someone changed the text since. */
export function editsFor(plan: EditPlan | undefined, path: string, before: string, after: string): TextEdit[] {
  const planned = plan?.get(path)
  return planned?.before === before ? planned.edits : diffText(before, after)
}
