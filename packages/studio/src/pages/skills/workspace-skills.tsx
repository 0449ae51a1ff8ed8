import type { WorkspaceSkill } from '@coherex/contract'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Changes } from '../../change/changes.tsx'
import { useRight } from '../../data/access/rights.ts'
import { useWorkspaceSkillDecide, useWorkspaceSkillDiff, useWorkspaceSkills } from '../../data/library/skill.ts'
import { useWorkspaceList } from '../../data/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/field/select.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'

const states = {
  approved: { tone: 'green', word: 'approved' },
  changed: { tone: 'amber', word: 'changed since it was approved' },
  unapproved: { tone: 'amber', word: 'not approved' },
  invalid: { tone: 'red', word: 'not valid' },
} as const

/** Folders `skills/<name>` of one workspace: agents get those that a person approved, while they stay as they are. */
export function WorkspaceSkills() {
  const workspaces = useWorkspaceList({ archived: false }).items ?? []
  const [chosen, setChosen] = useState<string>()
  const skills = useWorkspaceSkills(chosen)
  if (workspaces.length === 0) return null
  return (
    <section aria-label="Skills in workspaces" className="flex flex-col gap-3">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lead font-semibold">In workspaces</h2>
          <p className="text-dense text-muted">
            A folder <code>skills/&lt;name&gt;</code> with a SKILL.md is a skill for conversations in that workspace,
            once a person approves it. Every change needs a new approval.
          </p>
        </div>
        <div className="w-56">
          <Select
            label="Workspace"
            value={chosen ?? ''}
            choices={[
              { value: '', label: 'Choose a workspace' },
              ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => setChosen(id || undefined)}
          />
        </div>
      </header>
      {skills.error && <ErrorState doing="look for skills" error={skills.error} />}
      {chosen && skills.data && (
        <Card flush>
          {skills.data.items.length === 0 ? (
            <p className="p-5 text-dense text-muted">There is no folder below skills in this workspace.</p>
          ) : (
            <ul>
              {skills.data.items.map((skill) => (
                <Folder key={skill.name} workspaceId={chosen} skill={skill} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </section>
  )
}

function Folder({ workspaceId, skill }: { workspaceId: string; skill: WorkspaceSkill }) {
  const { name, description, state, isShadowed, problems, approvedBy } = skill
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-b border-line px-5 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 flex-1">
          <span className="block truncate text-dense font-medium">{name}</span>
          <span className="block truncate text-small text-muted">
            {isShadowed ? 'The team has a skill with this name, which is used instead' : description}
          </span>
        </span>
        <Pill tone={states[state].tone}>{states[state].word}</Pill>
        {state !== 'invalid' && (
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close' : 'Review'}
          </Button>
        )}
      </div>
      {problems.map(({ file, line, message }, index) => (
        <p key={index} className="mt-1 flex items-start gap-2 text-small">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-red" />
          <span className="min-w-0 break-words">
            {[file, line].filter(Boolean).join(':')} {message}
          </span>
        </p>
      ))}
      {isOpen && <Decision workspaceId={workspaceId} skill={skill} approvedBy={approvedBy?.name} />}
    </li>
  )
}

function Decision({
  workspaceId,
  skill: { name, state },
  approvedBy,
}: {
  workspaceId: string
  skill: WorkspaceSkill
  approvedBy: string | undefined
}) {
  const diff = useWorkspaceSkillDiff(workspaceId, name)
  const decide = useWorkspaceSkillDecide()
  const right = useRight('editor', 'approve skills')
  const params = { id: workspaceId, name }
  const told = (title: string) => ({
    onSuccess: () => void toast({ title }),
    onError: (error: Error) =>
      void toast({ title: 'Could not save the decision', description: error.message, tone: 'error' }),
  })
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      {diff.error && <ErrorState doing="read the skill" error={diff.error} />}
      {diff.data?.diff && (
        <div className="w-full">
          <Changes diff={diff.data.diff} label={`Content of ${name}`} />
        </div>
      )}
      {approvedBy && <p className="text-small text-muted">Approved by {approvedBy}</p>}
      <div className="flex gap-2">
        {state !== 'approved' && diff.data && (
          <Reason why={right.why}>
            <Button
              look="primary"
              disabled={!right.may}
              busy={decide.isPending}
              onClick={() =>
                decide.mutate(
                  { params, body: { decision: 'approve', digest: diff.data.digest } },
                  told(`Agents now use ${name} in this workspace`),
                )
              }
            >
              Approve
            </Button>
          </Reason>
        )}
        {approvedBy && (
          <Reason why={right.why}>
            <Button
              disabled={!right.may}
              busy={decide.isPending}
              onClick={() =>
                decide.mutate({ params, body: { decision: 'withdraw' } }, told(`Agents no longer use ${name}`))
              }
            >
              Withdraw approval
            </Button>
          </Reason>
        )}
      </div>
    </div>
  )
}
