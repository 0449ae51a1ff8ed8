import { namespaceEscape } from './cases/namespace-escape.ts'
import { runHostileCases } from './run-hostile-cases.ts'

runHostileCases({ 'escapes from namespaces': namespaceEscape })
