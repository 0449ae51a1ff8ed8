import { formatBytes, type PackageLock } from '@coherex/contract'
import { ShortId } from '../../ui/text/copy.tsx'

/** A lock in one line: how many packages, and how much is fetched for them. */
export function lockInShort({ packages }: PackageLock): string {
  const count = packages.length === 1 ? '1 package' : `${packages.length} packages`
  const known = packages.flatMap(({ size }) => size ?? [])
  const bytes = known.reduce((sum, size) => sum + size, 0)
  if (known.length === 0) return count
  return `${count} · ${known.length < packages.length ? 'at least ' : ''}${formatBytes(bytes)}`
}

/** Every package of a lock, unfolded when asked for. */
export function LockDetails({ lock, isOpen = false }: { lock: PackageLock; isOpen?: boolean }) {
  return (
    <details open={isOpen} className="rounded-md border border-line text-small">
      <summary className="cursor-default rounded-md px-2.5 py-1.5 text-muted select-none hover:text-text">
        Lock · {lockInShort(lock)}
      </summary>
      <div className="border-t border-line">
        <ul aria-label="Packages of the lock" className="max-h-52 overflow-y-auto py-1">
          {lock.packages.map(({ name, version, size, integrity }) => (
            <li key={`${name} ${version}`} className="flex items-baseline gap-3 px-2.5 py-0.5">
              <span className="min-w-0 flex-1 truncate font-mono">{name}</span>
              <span className="text-muted tabular" title={integrity}>
                {version}
              </span>
              <span className="w-16 shrink-0 text-right text-muted tabular">
                {size === null ? '' : formatBytes(size)}
              </span>
            </li>
          ))}
        </ul>
        <p className="flex items-center gap-1.5 border-t border-line px-2.5 py-1 text-muted">
          Hash <ShortId id={lock.hash} />
        </p>
      </div>
    </details>
  )
}
