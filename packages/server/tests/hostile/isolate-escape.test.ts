import { isolateEscape } from './cases/isolate-escape.ts'
import { runHostileCases } from './run-hostile-cases.ts'

runHostileCases({ 'escapes from an isolate': isolateEscape })
