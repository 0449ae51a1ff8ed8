import { lazy, Suspense, type ComponentProps } from 'react'
import type { ExportAsTool as Dialog } from './export-as-tool.tsx'

const ExportAsTool = lazy(async () => ({ default: (await import('./export-as-tool.tsx')).ExportAsTool }))

/** The dialog, fetched when somebody asks for it. */
export function LazyExportAsTool(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <ExportAsTool {...props} />
    </Suspense>
  )
}
