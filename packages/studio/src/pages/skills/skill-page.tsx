import { CoherexError, type Skill } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRight } from '../../data/rights.ts'
import { skillQuery, useSkillPut } from '../../data/skill.ts'
import { LoadingPage } from '../../shell/loading-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast.ts'
import { SkillActions } from './skill-actions.tsx'
import { SkillEditor, type EditorState } from './skill-editor.tsx'
import { SkillStatePill } from './skill-state.tsx'
import { SkillVersions } from './skill-versions.tsx'

export function SkillPage() {
  const { name } = useParams({ from: '/shell/team-places/skills/$name' })
  const skill = useQuery(skillQuery(name))
  usePageTitle(name)
  if (skill.error && !skill.data) {
    return <ErrorState doing={`open the skill ${name}`} error={skill.error} onRetry={() => void skill.refetch()} />
  }
  return skill.data ? <SkillDetails key={name} skill={skill.data} /> : <LoadingPage />
}

function SkillDetails({ skill }: { skill: Skill }) {
  const { name, state, activeVersion, newestVersion, proposals, current } = skill
  const right = useRight('editor', 'change skills')
  const put = useSkillPut()

  function save({ files, saved }: EditorState) {
    put.mutate(
      { params: { name }, body: { files, expectedVersion: newestVersion } },
      {
        onSuccess(stored) {
          saved()
          toast({ title: `Version ${stored.newestVersion} of ${name} is saved` })
        },
        onError(error) {
          const isOld = error instanceof CoherexError && error.code === 'conflict'
          const title = isOld ? 'Someone stored another version first' : 'It was not saved'
          toast({ title, description: error.message, tone: 'error' })
        },
      },
    )
  }

  return (
    <SkillEditor
      draftName={name}
      folder={name}
      title={
        <>
          <span className="truncate">{name}</span>
          <SkillStatePill state={state} />
          <span className="text-small font-normal whitespace-nowrap text-muted">
            {activeVersion === null ? 'no version is approved' : `version ${activeVersion}`}
          </span>
        </>
      }
      initial={current.files}
      canEdit={right.may}
      firstTab={proposals > 0 ? 'versions' : 'check'}
      actions={(editor) => (
        <>
          {editor.isChanged && (
            <Button look="quiet" onClick={editor.forget}>
              Discard changes
            </Button>
          )}
          <Reason why={right.why}>
            <Button
              look="primary"
              disabled={!right.may || !editor.isChanged || editor.name === undefined}
              busy={put.isPending}
              onClick={() => save(editor)}
            >
              Save version {newestVersion + 1}
            </Button>
          </Reason>
          <SkillActions skill={skill} />
        </>
      )}
      moreTabs={[{ value: 'versions', label: 'Versions', count: proposals, content: <SkillVersions skill={skill} /> }]}
    />
  )
}
