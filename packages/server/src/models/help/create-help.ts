import type { Assistance, AssistRequest, Suggestion, SuggestRequest } from '@coherex/contract'
import { createRateLimiter, openSecrets, type KeyRing, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Models } from '../models.ts'
import { assist } from './assist.ts'
import { refuseSecretFile, withoutSecrets } from './secrets-in-text.ts'
import { suggest } from './suggest.ts'

export interface HelpDeps {
  database: Database
  keyRing: KeyRing
  models: Pick<Models, 'ask'>
}

export type Help = ReturnType<typeof createHelp>

// as fast as somebody types with pauses; questions are pressed
const suggestRate = { burst: 20, perSecond: 2 }
const assistRate = { burst: 10, perSecond: 0.2 }

/** Help of a model in the editor: what to write at the cursor, and answers about a file. It reads what it is sent and writes nothing. */
export function createHelp({ database, keyRing, models }: HelpDeps) {
  const limitSuggest = createRateLimiter(suggestRate)
  const limitAssist = createRateLimiter(assistRate)
  const secretsOf = async (teamId: string) => [...(await openSecrets({ database, keyRing }, teamId)).values()]

  return {
    async suggest(caller: TeamCaller, asked: SuggestRequest, signal: AbortSignal): Promise<Suggestion> {
      limitSuggest(caller.person.id)
      refuseSecretFile(asked.path)
      const hide = withoutSecrets(await secretsOf(caller.teamId))
      return suggest(models, caller, { ...asked, hide, signal })
    },

    async assist(caller: TeamCaller, asked: AssistRequest, signal: AbortSignal): Promise<Assistance> {
      limitAssist(caller.person.id)
      refuseSecretFile(asked.path)
      const hide = withoutSecrets(await secretsOf(caller.teamId))
      return assist(models, caller, { ...asked, hide, signal })
    },
  }
}
