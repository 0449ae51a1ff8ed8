import type { Sandbox } from '@coherex/contract'
import { useNow } from '../../ui/state/use-now.ts'
import { formatMegabytes } from '../../words/quantity.ts'
import { sleepsIn } from './sandbox-words.ts'

/** The line of facts below a sandbox: memory, network, when it sleeps. */
export function SandboxStatus({ sandbox }: { sandbox: Sandbox }) {
  const { status, memory, limits, network } = sandbox
  const now = useNow(status === 'running')
  const idle = sleepsIn(sandbox, now)
  return (
    <>
      <span>
        Memory {memory ? `${formatMegabytes(memory.currentMb)} of ` : ''}
        {formatMegabytes(limits.memoryMb)}
      </span>
      <span title={network?.allow.join('\n')} className="truncate">
        {network ? `Network: ${network.allow.join(', ')}` : 'No network'}
      </span>
      {idle && <span className="ml-auto first-letter:uppercase">{idle}</span>}
    </>
  )
}
