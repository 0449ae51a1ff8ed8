import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { createQueryClient } from './data/query/query-client.ts'
import { createStudioRouter } from './router.tsx'
import { PlainToaster } from './ui/toast/plain-toaster.tsx'
import { whenToastNeeded } from './ui/toast/toast.ts'

const Toaster = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./ui/toast/toaster.tsx')).Toaster }
  } catch {
    // what most needs saying is said when the connection broke, and the page stays
    return { default: PlainToaster }
  }
})

export function Studio() {
  const [queryClient] = useState(createQueryClient)
  const [router] = useState(() => createStudioRouter(queryClient))
  const [toasting, setToasting] = useState(false)
  useEffect(() => whenToastNeeded(() => setToasting(true)), [])
  return (
    // the page's CSP allows no style elements but its own
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense>{toasting && <Toaster />}</Suspense>
      </QueryClientProvider>
    </CSPProvider>
  )
}
