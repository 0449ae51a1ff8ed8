import { formatBytes, formatDuration, type Run } from '@coherex/contract'
import { Check, ShieldX, X } from 'lucide-react'
import { exactTime } from '../../words/relative-time.ts'

/** What the program asked of the network, with what was refused. */
export function RunRequests({ requests }: Pick<Run, 'requests'>) {
  if (requests.length === 0) {
    return (
      <p className="px-4 py-6 text-center text-dense text-pretty text-muted">
        No requests. Code reaches only the addresses it was allowed when it was started.
      </p>
    )
  }
  return (
    <ul>
      {requests.map((request, index) => (
        <li key={index} className="border-b border-line px-4 py-2 text-small" title={exactTime(request.at)}>
          <div className="flex items-start gap-2">
            <Verdict status={request.status} error={request.error} />
            <code className="font-medium">{request.method}</code>
            <code className="min-w-0 flex-1 break-all">{request.url}</code>
            <span className="shrink-0 text-muted tabular">
              {request.bytes > 0 && `${formatBytes(request.bytes)} · `}
              {formatDuration(request.durationMs)}
            </span>
          </div>
          {request.error && (
            <p className="mt-0.5 ml-13 text-red">
              {failures[request.error] ?? request.error} <code className="text-muted">{request.error}</code>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What the guard's codes mean to people. */
const failures: Record<string, string> = {
  URL_NOT_ALLOWED: 'Refused: not on the list of addresses this run may reach.',
  METHOD_NOT_ALLOWED: 'Refused: this method is not allowed.',
  FETCH_FAILED: 'It could not be reached, or the connection broke.',
  LIMIT_EXCEEDED: 'Stopped: too much or too often.',
}

function Verdict({ status, error }: { status: number | null; error: string | null }) {
  const good = status !== null && status < 400 && !error
  const Icon = good ? Check : error?.endsWith('NOT_ALLOWED') ? ShieldX : X
  return (
    <span className={`flex w-11 shrink-0 items-center gap-1 font-medium tabular ${good ? 'text-green' : 'text-red'}`}>
      <Icon aria-hidden className="size-3.5" />
      {status ?? <span className="sr-only">no answer</span>}
    </span>
  )
}
