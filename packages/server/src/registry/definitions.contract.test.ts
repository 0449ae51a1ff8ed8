import { Readable } from 'node:stream'
import { z } from 'zod'
import { agentKind } from './agents/agent-kind.ts'
import { parseDefinition } from './agents/parse-definition.ts'
import { coherex } from './definition/definition-tables.ts'
import { definitionContract } from './definition/definition.contract.ts'
import { fromGivenFiles, sha256 } from './definition/folder.ts'
import { parseText } from './definition/parse-text.ts'
import { textHeadColumns, textKind, textVersionColumns } from './definition/text-kind.ts'
import { requireSkill } from './skills/parse-skill.ts'
import { skillKind } from './skills/skill-kind.ts'
import { parseTool } from './tools/parse-tool.ts'
import { createToolKind } from './tools/tool-kind.ts'

definitionContract(agentKind({ findNeeds: async () => [], changed: async () => undefined }), {
  content(name, text) {
    const source = `kind: agent\nname: ${name}\ndescription: Works\ninstructions: ${text}\n`
    const { definition, problems } = parseDefinition(source)
    if (!definition) throw new Error(JSON.stringify(problems))
    return { source, definition }
  },
})

definitionContract(skillKind, {
  content(name, text) {
    const files = fromGivenFiles({ 'SKILL.md': `---\nname: ${name}\ndescription: Works\n---\n${text}\n` })
    return { files, frontMatter: requireSkill(files, name).frontMatter }
  },
})

const kept = new Map<string, Buffer>()
const toolBlobs = {
  async put(_: string, bytes: Uint8Array | AsyncIterable<Uint8Array>) {
    if (!(bytes instanceof Uint8Array)) throw new Error('files of a tool are given at once')
    const hash = sha256(Buffer.from(bytes))
    kept.set(hash, Buffer.from(bytes))
    return hash
  },
  read: async (_: string, hash: string) => Readable.from([kept.get(hash) ?? Buffer.alloc(0)]),
}
definitionContract(createToolKind(toolBlobs), {
  content(name, text) {
    const source = `kind: tool\nname: ${name}\ndescription: Works\nlanguage: javascript\n`
    const files = fromGivenFiles({ 'tool.yaml': source, 'main.js': `export default () => ${JSON.stringify(text)}\n` })
    const { definition, problems } = parseTool(files)
    if (!definition) throw new Error(JSON.stringify(problems))
    return { files, definition, input: true, output: true, lock: null }
  },
})

/** All that a new kind takes. */
const recipe = z.strictObject({ steps: z.array(z.string()) })
type Recipe = z.infer<typeof recipe>
const recipes = coherex.table('recipe', textHeadColumns())
const recipeVersions = coherex.table('recipe_version', textVersionColumns<Recipe>('recipe'))
const recipeKind = textKind<typeof recipes.$inferSelect, Recipe>({
  noun: 'recipe',
  heads: recipes,
  versions: recipeVersions,
  describeNewly: (_, { definition }) => definition.steps.map((step) => `It may ${step}.`),
})

definitionContract(recipeKind, {
  content(_, text) {
    const source = `steps: ["${text}"]\n`
    const { definition, problems } = parseText(source, { schema: recipe, begin: 'steps:' })
    if (!definition) throw new Error(JSON.stringify(problems))
    return { source, definition }
  },
  tables: `
    CREATE TABLE coherex.recipe (LIKE coherex.agent INCLUDING ALL);
    ALTER TABLE coherex.recipe DROP COLUMN status, DROP COLUMN was_active;
    CREATE TABLE coherex.recipe_version (LIKE coherex.agent_version INCLUDING ALL);
    ALTER TABLE coherex.recipe_version RENAME COLUMN agent_name TO recipe_name;
    ALTER TABLE coherex.recipe_version
      ADD FOREIGN KEY (team_id, recipe_name) REFERENCES coherex.recipe ON DELETE CASCADE;
    GRANT ALL ON coherex.recipe, coherex.recipe_version TO :app_role;
    ALTER TABLE coherex.recipe ENABLE ROW LEVEL SECURITY;
    ALTER TABLE coherex.recipe_version ENABLE ROW LEVEL SECURITY;
    CREATE POLICY of_team ON coherex.recipe USING (team_id = coherex.current_team());
    CREATE POLICY of_team ON coherex.recipe_version USING (team_id = coherex.current_team());`,
})
