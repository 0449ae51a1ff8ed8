import { ExternalLink, ImageOff } from 'lucide-react'
import { safeAddress } from './safe-address.ts'

/**
 * An image of the answer. One that is in the text is shown; one that is elsewhere would tell its server who reads, so it
 * takes a click, and opens outside of the studio.
 */
export function RemoteImage({ address, alt }: { address: string; alt: string }) {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/.test(address)) {
    return <img src={address} alt={alt} className="max-h-120 max-w-full rounded-md" />
  }
  const safe = safeAddress(address)
  if (safe === undefined) return <span>{alt}</span>
  return (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-1 align-middle text-dense text-muted hover:text-text"
    >
      <ImageOff aria-hidden className="size-4 shrink-0" />
      <span className="truncate">
        {alt || 'Image'} from {new URL(safe).host}
      </span>
      <ExternalLink aria-label="Open image" className="size-3.5 shrink-0" />
    </a>
  )
}
