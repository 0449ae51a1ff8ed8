import { resources } from './cases/resources.ts'
import { runHostileCases } from './run-hostile-cases.ts'

runHostileCases({ exhaustion: resources })
