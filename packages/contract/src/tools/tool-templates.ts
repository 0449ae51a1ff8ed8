import { languageFacts } from '../runs/languages.ts'

const greets = {
  python: `def main(name: str = "world") -> str:\n    """Greets."""\n    return f"Hello {name}"\n`,
  typescript: `import { z } from 'zod'\n\nexport const input = z.object({ name: z.string().default('world') })\nexport const output = z.string()\n\nexport default (_env: unknown, { name = 'world' }: z.input<typeof input>) => \`Hello \${name}\`\n`,
  javascript: `export const input = {\n  type: 'object',\n  properties: { name: { type: 'string', default: 'world' } },\n}\nexport const output = { type: 'string' }\n\nexport default (_env, { name = 'world' }) => \`Hello \${name}\`\n`,
}

export type ToolTemplate = keyof typeof greets
/** Languages in which a tool can begin with code that runs and has a test. */
export const toolTemplates = Object.keys(greets) as ToolTemplate[]

/** The files of a tool that greets, to begin with. */
export function createToolFiles(
  language: ToolTemplate,
  { name, description = 'Greets somebody by name' }: { name: string; description?: string },
): Record<string, string> {
  const { entry } = languageFacts[language]
  const test = '  - { name: somebody, input: { name: Ann }, output: Hello Ann }'
  const about = `kind: tool\nname: ${name}\ndescription: ${JSON.stringify(description)}\nlanguage: ${language}\nentry: ${entry}`
  return { [entry]: greets[language], 'tool.yaml': `${about}\nlicence: MIT\ntests:\n${test}\n` }
}
