import type { DefinitionKind } from '@coherex/contract'

/** A definition in the text of a file. */
export interface DefinitionPart {
  kind: DefinitionKind
  /** YAML or JSON: the whole text, or what stands before the prose. */
  text: string
  /** Where it begins in the file. */
  offset: number
}

const mayDefine = /(?:\.(?:ya?ml|json)|(?:^|\/)SKILL\.md)$/
const frontMatter = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(?:^---[ \t]*$|(?![\s\S]))/m
const saysAgent = /^(?:kind:[ \t]*["']?agent\b|\s*\{?\s*"kind"\s*:\s*"agent")/m

/** Whether a file of that name can be a definition. */
export const mayBeDefinition = (path: string) => mayDefine.test(path)

/** What a file defines, by its name or by the kind that it names. */
export function definitionIn(path: string, text: string): DefinitionPart | undefined {
  const name = path.split('/').at(-1) ?? ''
  if (name === 'SKILL.md') {
    const [, mark, inner] = frontMatter.exec(text) ?? []
    return mark === undefined || inner === undefined || !text.startsWith(mark)
      ? undefined
      : { kind: 'skill', text: inner, offset: mark.length }
  }
  if (!mayDefine.test(path)) return undefined
  if (name === 'tool.yaml') return { kind: 'tool', text, offset: 0 }
  const isAgent = /^agent\.(?:ya?ml|json)$/.test(name) || saysAgent.test(text)
  return isAgent ? { kind: 'agent', text, offset: 0 } : undefined
}
