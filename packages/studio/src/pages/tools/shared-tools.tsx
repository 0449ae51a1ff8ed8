import type { SharedTool } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useSharedTools, useToolInstall } from '../../data/library/tool.ts'
import { languageNames } from '../../output/run-words.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'

/** Tools that other teams of this server offer; nothing where there are none. */
export function SharedTools({ search }: { search: string }) {
  const shared = useSharedTools(search)
  if (!shared.items?.length) return null
  return (
    <section aria-label="Tools of other teams" className="flex flex-col gap-3">
      <header>
        <h2 className="text-lead font-semibold">From other teams</h2>
        <p className="text-dense text-muted">
          Installing copies a version into this team. The copy is yours: test and publish it here.
        </p>
      </header>
      <Card flush>
        <ul>
          {shared.items.map((tool) => (
            <Offer key={`${tool.team.id} ${tool.name}`} tool={tool} />
          ))}
        </ul>
        <LoadMore pages={shared} />
      </Card>
    </section>
  )
}

function Offer({ tool: { team, name, description, language, licence, version } }: { tool: SharedTool }) {
  const install = useToolInstall()
  const right = useRight('editor', 'install tools')
  const navigate = useNavigate()
  const take = () =>
    void install.mutateAsync({ params: { team: team.id, name }, body: { version } }).then(
      ({ definition }) => navigate({ to: '/tools/$name', params: { name: definition.name } }),
      (error: Error) => toast({ title: `Could not install ${name}`, description: error.message, tone: 'error' }),
    )
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3 last:border-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-dense font-medium">
          {name} <span className="font-normal text-muted">of {team.name}</span>
        </span>
        <span className="block truncate text-small text-muted">{description}</span>
      </span>
      <span className="text-small text-muted max-sm:hidden">
        {[languageNames[language], `version ${version}`, licence].filter(Boolean).join(' · ')}
      </span>
      <Reason why={right.why}>
        <Button
          size="small"
          icon={<Download aria-hidden />}
          aria-label={`Install ${name}`}
          disabled={!right.may}
          busy={install.isPending}
          onClick={take}
        >
          Install
        </Button>
      </Reason>
    </li>
  )
}
