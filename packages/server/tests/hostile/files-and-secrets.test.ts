import { files } from './cases/files.ts'
import { secrets } from './cases/secrets.ts'
import { runHostileCases } from './run-hostile-cases.ts'

runHostileCases({ 'paths and links': files, 'secrets of the host': secrets })
