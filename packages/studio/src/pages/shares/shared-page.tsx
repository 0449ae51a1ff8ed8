import { CoherexError, createClient, type SharedArtifact } from '@coherex/contract'
import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { routes } from 'virtual:artifact-routes'
import { SharedView } from '../../artifact/shares/shared-view.tsx'
import { Logo } from '../../shell/logo.tsx'
import { Button } from '../../ui/button.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'

// without cookies: whoever looks is nobody here
const call = createClient({ baseUrl: '', fetch: (url, init) => fetch(url, { ...init, credentials: 'omit' }) })

type Found = { shared: SharedArtifact } | { error: Error }

/** A public share: a page of its own, or a frame on another site. */
export function SharedPage({ token, isEmbed }: { token: string; isEmbed: boolean }) {
  const [version, setVersion] = useState<number>()
  const [found, setFound] = useState<Found>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    call(
      routes.shares.open,
      { params: { token }, query: version === undefined ? {} : { version } },
      { signal: left.signal },
    ).then(
      (shared) => {
        document.title = `${shared.title} · Coherex`
        setFound({ shared })
      },
      (error: Error) => !left.signal.aborted && setFound({ error }),
    )
    return () => left.abort()
  }, [token, version, tries])
  const content = !found ? (
    <WaitingLines label="Loading" className="gap-3 p-4" lines={['h-4 w-72', 'h-4 w-60', 'h-4 w-48']} />
  ) : 'error' in found ? (
    <Failed error={found.error} onRetry={() => setTries(tries + 1)} />
  ) : (
    <SharedView key={found.shared.version} shared={found.shared} onVersion={setVersion} />
  )
  if (isEmbed) {
    return (
      <main className="p-1">
        {content}
        <p className="px-2 pt-1 text-small">
          <a
            href={`/s/${token}`}
            target="_blank"
            rel="noreferrer noopener"
            className="inline-flex items-center gap-1 text-muted hover:text-text"
          >
            Open in Coherex <ExternalLink aria-hidden className="size-3" />
          </a>
        </p>
      </main>
    )
  }
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-220 flex-col gap-5 px-6 py-6 max-md:px-3 max-md:py-4">
      <header className="flex items-center gap-2 text-dense font-medium">
        <Logo className="size-5" />
        Coherex
      </header>
      <main>{content}</main>
    </div>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isGone = error instanceof CoherexError && error.code === 'not_found'
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-16 text-center">
      <h1 className="text-lead font-semibold">{isGone ? 'This link leads nowhere' : 'The page could not be loaded'}</h1>
      <p className="max-w-96 text-dense text-pretty text-muted">
        {isGone
          ? 'It is wrong, has expired or was revoked. Ask who sent it for a new one.'
          : 'The server cannot be reached. Check the connection and try again.'}
      </p>
      {!isGone && (
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
