import { z } from 'zod'

/** A moment in ISO 8601, UTC. */
export const moment = z.iso.datetime()
