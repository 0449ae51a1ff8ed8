import type { BusEvent } from '../../base/index.ts'

/** Who hears of a workspace in its team: of a private one its person alone. */
export function audienceOf({ privateTo }: { privateTo: string | null }): Pick<BusEvent, 'only'> {
  return privateTo === null ? {} : { only: { personId: privateTo, admins: false } }
}
