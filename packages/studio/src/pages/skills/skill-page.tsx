import { CoherexError, type Skill } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { skillQuery, useSkillDiff, useSkillPut } from '../../data/library/skill.ts'
import { LoadingPage } from '../../shell/loading-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { DefinitionTitle } from '../definitions/definition-title.tsx'
import { Comparison, NewerVersion } from '../definitions/newer-version.tsx'
import { UsedBy } from '../definitions/used-by.tsx'
import { SkillAccess } from './skill-access.tsx'
import { SkillActions } from './skill-actions.tsx'
import { SkillEditor, type EditorState } from './skill-editor.tsx'
import { SkillStatePill } from './skill-state.tsx'
import { SkillVersions } from './skill-versions.tsx'

const TrySkill = lazy(async () => ({ default: (await import('./try-skill.tsx')).TrySkill }))

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
  // a proposal is stored beside what is edited here
  const isBehind = ({ isChanged, base }: EditorState) => isChanged && base !== current.version

  function save({ files, saved }: EditorState) {
    put.mutate(
      { params: { name }, body: { files, expectedVersion: newestVersion } },
      {
        onSuccess(stored) {
          saved(stored.current.version)
          toast({ title: `Version ${stored.newestVersion} of ${name} is saved` })
        },
        onError(error) {
          const isOld = error instanceof CoherexError && error.code === 'conflict'
          const title = isOld ? 'Someone saved another version first' : `Could not save ${name}`
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
        <DefinitionTitle
          name={name}
          status={<SkillStatePill state={state} />}
          version={activeVersion === null ? 'no approved version' : `version ${activeVersion}`}
          owner={skill.owner}
          reach={skill.reach}
        />
      }
      initial={current.files}
      version={current.version}
      canEdit={right.may}
      firstTab={proposals > 0 ? 'versions' : 'edit'}
      notice={(editor) =>
        isBehind(editor) && (
          <NewerVersion
            version={current.version}
            base={editor.base}
            onForget={editor.forget}
            onRebase={editor.rebase}
            comparison={<SkillComparison name={name} from={editor.base} to={current.version} />}
          />
        )
      }
      trial={
        state === 'active'
          ? ({ isChanged }) => (
              <Suspense>
                <TrySkill skill={skill} isChanged={isChanged} />
              </Suspense>
            )
          : undefined
      }
      actions={(editor) => (
        <>
          <Reason why={right.why}>
            <Button
              look="primary"
              disabled={!right.may || !editor.isChanged || editor.name === undefined || isBehind(editor)}
              busy={put.isPending}
              onClick={() => save(editor)}
            >
              Save version {newestVersion + 1}
            </Button>
          </Reason>
          <SkillActions skill={skill} />
        </>
      )}
      moreTabs={[
        { value: 'versions', label: 'Versions', count: proposals, content: <SkillVersions skill={skill} /> },
        { value: 'used-by', label: 'Used by', content: <UsedBy what={`skill:${name}`} /> },
        { value: 'access', label: 'Access', content: <SkillAccess skill={skill} /> },
      ]}
    />
  )
}

function SkillComparison({ name, from, to }: { name: string; from: number; to: number }) {
  return <Comparison from={from} to={to} diff={useSkillDiff(name, { from, to })} />
}
