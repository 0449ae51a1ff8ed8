import type { Receipt } from '@coherex/contract'

/** Which runtime takes a run and why, and why the cheaper ones do not. */
export function RuntimeVerdicts({ name, reason, passedOver }: Receipt) {
  return (
    <ul className="flex flex-col gap-1.5">
      <Verdict name={name} taken reason={reason} />
      {passedOver.map((one) => (
        <Verdict key={one.name} name={one.name} reason={one.reason} />
      ))}
    </ul>
  )
}

function Verdict({ name, reason, taken }: { name: string; reason: string; taken?: boolean }) {
  return (
    <li className="grid grid-cols-[104px_1fr] gap-x-3">
      <span className={taken ? 'font-medium' : 'text-muted'}>
        {name} <span className="sr-only">{taken ? 'was chosen' : 'was skipped'}</span>
      </span>
      <span className="text-muted">
        {taken ? 'Chosen: ' : 'Skipped: '}
        {reason}
      </span>
    </li>
  )
}
