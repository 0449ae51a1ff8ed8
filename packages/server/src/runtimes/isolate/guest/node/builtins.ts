import type { Calls } from '../capabilities.ts'
import type { Host, Start } from '../host.ts'
import type { UrlClass } from '../url.ts'
import { createBufferModule } from './buffer.ts'
import { createFileOperations } from './file-operations.ts'
import { createFs } from './fs.ts'
import * as path from './path.ts'
import { createUrlModule } from './url.ts'
import * as util from './util.ts'

interface Parts {
  calls: Calls
  host: Host
  URL: UrlClass
  start: Start
  env: Record<string, object>
  input: unknown
  display: unknown
  CapabilityError: unknown
}

/** The modules an isolate has without any file behind them, made when first imported. */
export function createBuiltins(parts: Parts): Record<string, () => object> {
  const once = (make: () => object) => {
    let made: object | undefined
    return () => (made ??= withDefault(make()))
  }
  const fs = once(() => createFs(createFileOperations(parts), parts.start.stdin))
  return {
    'node:fs': fs,
    'node:fs/promises': once(() => (fs() as ReturnType<typeof createFs>).promises),
    'node:path': once(() => path),
    'node:buffer': once(createBufferModule),
    'node:url': once(() => createUrlModule(parts.URL)),
    'node:util': once(() => util),
    coherex: once(() => ({
      CapabilityError: parts.CapabilityError,
      display: parts.display,
      env: parts.env,
      input: parts.input,
      ...parts.env,
    })),
  }
}

function withDefault(module: object): object {
  return { ...module, default: module }
}
