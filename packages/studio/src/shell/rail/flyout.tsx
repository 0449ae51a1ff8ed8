import { Kbd } from '../../ui/text/kbd.tsx'

/** A name for the ears and a tooltip in plain CSS: the rail is part of the first load, which has no room for more. */
export function Flyout({ label, keys }: { label: string; keys?: string }) {
  return (
    <>
      <span className="sr-only">{label}</span>
      <span
        aria-hidden
        className="pointer-events-none invisible absolute top-1/2 left-full z-50 ml-2 flex max-w-80 -translate-y-1/2 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-small font-normal whitespace-nowrap text-text shadow-float group-hover:visible group-hover:delay-300 group-focus-visible:visible"
      >
        <span className="truncate">{label}</span>
        {keys && <Kbd keys={keys} />}
      </span>
    </>
  )
}
