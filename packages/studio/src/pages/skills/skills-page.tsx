import type { SkillSummary } from '@coherex/contract'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FilePlus2, LayoutTemplate } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useSkillList } from '../../data/library/skill.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { places } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Time } from '../../ui/text/time.tsx'
import { ImportButton } from './import-button.tsx'
import { SkillStatePill } from './skill-state.tsx'
import { starters } from './starters.ts'
import { WorkspaceSkills } from './workspace-skills.tsx'

export function SkillsPage() {
  const { search = '', create: choosing = false } = useSearch({ from: '/shell/team-places/skills' })
  const skills = useSkillList(search ? { search } : {})
  const right = useRight('editor', 'change skills')
  const navigate = useNavigate()
  const show = (next: { search?: string; create?: true }) =>
    void navigate({ to: '/skills', search: next, replace: true })
  const kept = search ? { search } : {}
  const create = (
    <Reason why={right.why}>
      <Button
        look="primary"
        icon={<FilePlus2 aria-hidden />}
        disabled={!right.may}
        onClick={() => show({ ...kept, create: true })}
      >
        New skill
      </Button>
    </Reason>
  )
  return (
    <CataloguePage
      title="Skills"
      place={places.library}
      description="Folders with instructions and scripts that agents load when a task needs them. What an agent writes waits for a person to approve it."
      wide
      actions={
        <>
          <Reason why={right.why}>
            <ImportButton disabled={!right.may} />
          </Reason>
          {create}
        </>
      }
      filters={
        <SearchInput label="Search skills" value={search} onSearch={(text) => show(text ? { search: text } : {})} />
      }
      pages={skills}
      columns={columns}
      rowKey={({ name }) => name}
      linkOf={({ name }) => ({ to: '/skills/$name', params: { name } })}
      empty={
        search ? (
          <Empty icon={LayoutTemplate} title="Nothing found">
            No skill has these words in its name or description.
          </Empty>
        ) : (
          <Empty icon={LayoutTemplate} title="No skills yet">
            Write down once how something is done, and every agent that lists the skill does it that way.
          </Empty>
        )
      }
    >
      <WorkspaceSkills />
      {choosing && right.may && <StartersDialog onClose={() => show(kept)} />}
    </CataloguePage>
  )
}

const columns: Column<SkillSummary>[] = [
  {
    key: 'name',
    header: 'Skill',
    className: 'w-full max-w-0',
    cell: ({ name, description }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-small text-muted">{description}</span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state, proposals }) => (
      <span className="flex gap-1.5">
        <SkillStatePill state={state} />
        {state !== 'proposed' && proposals > 0 && (
          <Pill tone="amber">{proposals === 1 ? '1 proposal' : `${proposals} proposals`}</Pill>
        )}
      </span>
    ),
  },
  {
    key: 'version',
    header: 'Version',
    align: 'right',
    from: 'sm',
    cell: ({ activeVersion }) => activeVersion ?? '–',
  },
  { key: 'changed', header: 'Changed', align: 'right', from: 'md', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]

function StartersDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="New skill" description="Choose a starting point.">
      <DialogBody>
        <ul className="-mx-2 flex flex-col">
          {Object.entries(starters).map(([starter, { title, description }]) => (
            <li key={starter}>
              <Link
                to="/skills/new/$starter"
                params={{ starter }}
                className="flex gap-3 rounded-md px-2 py-2 hover:bg-hover"
              >
                <LayoutTemplate aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
                <span className="min-w-0">
                  <span className="block text-body font-medium">{title}</span>
                  <span className="block text-dense text-muted">{description}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </DialogBody>
    </Dialog>
  )
}
