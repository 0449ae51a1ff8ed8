import { z } from 'zod'
import { givenFile } from '../runs/run.ts'
import { namedRecord } from '../wire/named-record.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { definitionProblem, definitionReach } from './agent.ts'
import { skillName } from './skill-name.ts'

/** What one skill may hold. */
export const skillLimits = {
  files: 100,
  fileBytes: 1_000_000,
  /** All files of a version together. */
  bytes: 4_000_000,
  /** Of all texts together: a person looks through them. */
  lines: 50_000,
  /** SKILL.md goes to a model as a whole. */
  instructionsBytes: 100_000,
  pathLength: 200,
  descriptionLength: 1024,
  compatibilityLength: 500,
} as const

/** Files by their paths below the skill's folder. */
export const skillFiles = namedRecord(text().min(1).max(1024), givenFile)
export type SkillFiles = z.infer<typeof skillFiles>

/** Something about a skill, and where it stands; `file` is empty where it concerns the folder. */
export const skillProblem = definitionProblem.extend({ file: z.string() })
export type SkillProblem = z.infer<typeof skillProblem>

/** What the front matter says. Fields we do not know are kept. */
export const skillFrontMatter = z.object({
  name: skillName,
  description: z.string(),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** Told to people. It grants nothing: an agent holds the tools its definition names. */
  allowedTools: z.array(z.string()).optional(),
  others: z.record(z.string(), z.unknown()).optional(),
})
export type SkillFrontMatter = z.infer<typeof skillFrontMatter>

export const skillVerdict = z.object({
  valid: z.boolean(),
  problems: z.array(skillProblem),
  warnings: z.array(skillProblem),
  frontMatter: skillFrontMatter.optional(),
})
export type SkillVerdict = z.infer<typeof skillVerdict>

/** `proposed` waits for a person and is offered to no agent; so is what was `rejected`. */
export const skillVersionState = z.enum(['proposed', 'approved', 'rejected'])
export type SkillVersionState = z.infer<typeof skillVersionState>

/** `active` is offered to agents that list it. */
export const skillStates = ['active', 'proposed', 'rejected', 'archived'] as const
export const skillState = z.enum(skillStates)
export type SkillState = z.infer<typeof skillState>

const by = z.object({ id: z.string(), name: z.string() })

export const skillVersion = z.object({
  version: z.number().int(),
  state: skillVersionState,
  description: z.string(),
  note: z.string(),
  /** SHA-256 over paths and contents: who decides says what they have seen. */
  digest: z.string(),
  size: z.number().int(),
  createdAt: moment,
  /** The person, or for whom an agent wrote it. */
  createdBy: by,
  /** The agent that wrote it. */
  agent: z.string().nullable(),
  threadId: z.string().nullable(),
  decidedAt: moment.nullable(),
  decidedBy: by.nullable(),
  decisionNote: z.string().nullable(),
})
export type SkillVersion = z.infer<typeof skillVersion>

export const skillVersionDetails = skillVersion.extend({
  frontMatter: skillFrontMatter,
  files: skillFiles,
  warnings: z.array(skillProblem),
})
export type SkillVersionDetails = z.infer<typeof skillVersionDetails>

export const skillSummary = z.object({
  name: skillName,
  /** Of the version that is offered; of the newest one while none is. */
  description: z.string(),
  state: skillState,
  /** The version that agents get; null while nobody approved one. */
  activeVersion: z.number().int().nullable(),
  newestVersion: z.number().int(),
  /** How many versions wait for a person. */
  proposals: z.number().int(),
  createdAt: moment,
  updatedAt: moment,
  createdBy: by,
  /** Who answers for it. */
  owner: by,
  reach: definitionReach,
})
export type SkillSummary = z.infer<typeof skillSummary>

export const skill = skillSummary.extend({
  /** The active version, or the newest one while none is. */
  current: skillVersionDetails,
})
export type Skill = z.infer<typeof skill>

/** A folder `skills/<name>` of a workspace. Agents get it while its content is the one that a person approved. */
export const workspaceSkill = z.object({
  /** Of the folder. */
  name: z.string(),
  description: z.string().nullable(),
  state: z.enum(['approved', 'changed', 'unapproved', 'invalid']),
  /** The team has a skill of that name, which goes first. */
  isShadowed: z.boolean(),
  digest: z.string(),
  problems: z.array(skillProblem),
  warnings: z.array(skillProblem),
  approvedAt: moment.nullable(),
  approvedBy: by.nullable(),
  /** Of the workspace, when it was approved. */
  approvedVersion: z.number().int().nullable(),
})
export type WorkspaceSkill = z.infer<typeof workspaceSkill>
