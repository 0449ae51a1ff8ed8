import { useToolUsers } from '../../../data/library/tool.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'

/** Agents and tools that name the tool, and which version each gets. */
export function ToolUsers({ name }: { name: string }) {
  const { data, error, refetch } = useToolUsers(name)
  if (!data) {
    if (error) return <ErrorState doing="load what uses it" error={error} onRetry={() => void refetch()} />
    return <WaitingLines label="Loading" className="p-4" lines={['h-4']} />
  }
  return (
    <div className="flex flex-col gap-3 p-4 text-dense">
      <h3 className="font-medium">Agents and tools that call it</h3>
      {data.items.length === 0 && (
        <p className="text-muted">
          None. An agent gets it with <code>tool:{name}</code> in its tools.
        </p>
      )}
      <ul className="flex flex-col gap-2">
        {data.items.map((user) => (
          <li key={`${user.kind} ${user.name}`} className="min-w-0">
            <TextLink to={user.kind === 'agent' ? '/agents/$name' : '/tools/$name'} params={{ name: user.name }}>
              {user.name}
            </TextLink>{' '}
            <span className="text-muted">
              {user.kind}, version {user.version} ·{' '}
              {user.pins === null ? 'takes the published version' : `stays with version ${user.pins}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
