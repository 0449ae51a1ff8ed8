import type { Route } from '../route.ts'
import { audit } from './audit.ts'
import { keys } from './keys.ts'
import { runs } from './runs.ts'
import { sandboxes } from './sandboxes.ts'
import { secrets } from './secrets.ts'
import { signIn } from './sign-in.ts'
import { system } from './system.ts'
import { teams } from './teams.ts'

/** Every HTTP operation of the product, by noun. */
export const routes = { signIn, teams, keys, secrets, audit, runs, sandboxes, system }

export const allRoutes: Route[] = Object.values(routes).flatMap((group) => Object.values(group))
