import { useNavigate, useParams } from '@tanstack/react-router'
import { useRight } from '../../data/access/rights.ts'
import { useSkillPut } from '../../data/library/skill.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { SkillEditor } from './skill-editor.tsx'
import { starters } from './starters.ts'

/** A skill that is not stored yet. */
export function NewSkillPage() {
  const { starter } = useParams({ from: '/shell/team-places/skills/new/$starter' })
  const put = useSkillPut()
  const right = useRight('editor', 'create skills')
  const navigate = useNavigate()
  usePageTitle('New skill')
  const initial = (starters[starter] ?? starters['blank'])?.files ?? {}
  return (
    <SkillEditor
      key={starter}
      draftName={`new-${starter}`}
      title="New skill"
      initial={initial}
      canEdit={right.may}
      actions={({ files, name, forget }) => (
        <Reason why={right.why}>
          <Button
            look="primary"
            disabled={!right.may || name === undefined}
            busy={put.isPending}
            onClick={() =>
              put.mutate(
                { params: { name: name ?? '' }, body: { files, expectedVersion: 0 } },
                {
                  onSuccess(skill) {
                    forget()
                    toast({ title: `${skill.name} is ${skill.state}` })
                    void navigate({ to: '/skills/$name', params: { name: skill.name } })
                  },
                  onError: (error) =>
                    toast({ title: 'The skill was not created', description: error.message, tone: 'error' }),
                },
              )
            }
          >
            Create skill
          </Button>
        </Reason>
      )}
    />
  )
}
