import { classNames } from './class-names.ts'

/** A grey stand-in of the size of what is coming. Appears only when waiting takes longer than 300 ms. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden className={classNames('block animate-late', className)}>
      <span className="block size-full min-h-3 animate-pulse rounded-sm bg-pressed" />
    </span>
  )
}

/** Says "loading" once to a screen reader for a whole block of skeletons. */
export function Waiting({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div role="status" aria-busy>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  )
}

/** Some lines of a text or a list that is coming, as wide as they are likely to be. */
export function WaitingLines({ label, className, lines }: { label: string; className: string; lines: string[] }) {
  return (
    <Waiting label={label}>
      <div className={classNames('flex flex-col', className)}>
        {lines.map((line, index) => (
          <Skeleton key={index} className={classNames('max-w-full', line)} />
        ))}
      </div>
    </Waiting>
  )
}
