import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { AgentDefinition } from '@coherex/contract'
import { parseDefinition } from '../../registry/index.ts'

export interface Template {
  id: string
  title: string
  source: string
  definition: AgentDefinition
}

/** Definitions to start from, one file each in this folder. */
export const templates: readonly Template[] = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    const { definition, problems } = parseDefinition(source)
    if (!definition) throw new Error(`the template ${file} is not valid: ${JSON.stringify(problems)}`)
    const id = basename(file, '.yaml')
    const words = id.replaceAll('-', ' ').replace('github', 'GitHub').replace('email', 'e-mail')
    return { id, title: words.charAt(0).toUpperCase() + words.slice(1), source, definition }
  })
