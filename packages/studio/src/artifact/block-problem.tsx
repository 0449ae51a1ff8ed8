import { Button } from '../ui/button.tsx'

interface BlockProblemProps {
  problem: string
  onMine: () => void
  onTheirs: () => void
}

/** An edit that was not saved, and the ways out. */
export function BlockProblem({ problem, onMine, onTheirs }: BlockProblemProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 border-t border-line bg-amber-soft px-3 py-1.5 text-dense text-amber"
    >
      <span className="min-w-0 flex-1">{problem}</span>
      <Button size="small" onClick={onTheirs}>
        Discard my edit
      </Button>
      <Button size="small" onClick={onMine}>
        Save mine
      </Button>
    </div>
  )
}
