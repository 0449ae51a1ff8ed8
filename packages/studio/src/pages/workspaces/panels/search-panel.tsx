import type { TextMatch } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { fileSearchQuery } from '../../../data/file.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Switch } from '../../../ui/field/switch.tsx'
import { finderOf } from './finder-of.ts'

const typingPauseMs = 250

const ReplaceOne = lazy(async () => ({ default: (await import('./replace-one.tsx')).ReplaceOne }))
const ReplaceView = lazy(async () => ({ default: (await import('./replace-view.tsx')).ReplaceView }))

interface SearchPanelProps {
  id: string
  /** Where it is replaced; undefined for those who only read. */
  live: LiveWorkspace | undefined
  /** How often one asked to search by keys. */
  searches: number
  onOpen: (path: string, line: number) => void
}

/** Finds text in all files, and replaces it. */
export function SearchPanel({ id, live, searches, onOpen }: SearchPanelProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (searches > 0) field.current?.select()
  }, [searches])
  const [text, setText] = useState('')
  const [files, setFiles] = useState('')
  const [{ pattern, globs }, setSettled] = useState({ pattern: '', globs: '' })
  const [replacement, setReplacement] = useState('')
  const [regex, setRegex] = useState(false)
  const [matchCase, setMatchCase] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ pattern: text, globs: files.trim() }), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, files])
  const query = { pattern, regex, matchCase, ...(globs !== '' && { globs }) }
  const found = useQuery(fileSearchQuery(id, query))
  const items = pattern === '' ? [] : (found.data?.items ?? [])
  const byPath = Map.groupBy(items, ({ path }) => path)
  const [isReplacing, setReplacing] = useState(false)
  const find = finderOf({ pattern, regex, matchCase })
  return (
    <>
      <div className="flex shrink-0 flex-col gap-2 border-b border-line p-3">
        <Input
          ref={field}
          type="search"
          aria-label="Search in all files"
          placeholder="Search in all files"
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Input
          aria-label="Files to search in"
          placeholder="Files, such as src/**, *.py"
          maxLength={2000}
          value={files}
          onChange={(event) => setFiles(event.target.value)}
        />
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          <Switch checked={matchCase} onChange={setMatchCase}>
            Match case
          </Switch>
          <Switch checked={regex} onChange={setRegex}>
            Regular expression
          </Switch>
          {live && (
            <Switch checked={isReplacing} onChange={setReplacing}>
              Replace
            </Switch>
          )}
        </div>
        <FormError error={found.error} />
      </div>
      {live && isReplacing && pattern !== '' && (
        <Suspense>
          <ReplaceView
            key={JSON.stringify(query)}
            id={id}
            live={live}
            query={query}
            replacement={replacement}
            onReplacement={setReplacement}
          />
        </Suspense>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto py-1" aria-live="polite">
        {pattern !== '' && found.data && !found.error && (
          <p className="px-4 py-1.5 text-small text-muted">
            {items.length === 0
              ? 'Nothing found.'
              : `${items.length}${found.data.truncated ? '+' : ''} ${items.length === 1 ? 'line' : 'lines'} in ${byPath.size} ${byPath.size === 1 ? 'file' : 'files'}`}
          </p>
        )}
        {[...byPath].map(([path, matches]) => (
          <Matches
            key={path}
            path={path}
            matches={matches}
            find={find}
            onOpen={onOpen}
            actionOf={
              live &&
              isReplacing &&
              ((match) => (
                <Suspense>
                  <ReplaceOne id={id} live={live} query={query} replacement={replacement} match={match} />
                </Suspense>
              ))
            }
          />
        ))}
      </div>
    </>
  )
}

interface MatchesProps {
  path: string
  matches: TextMatch[]
  /** What is looked for; undefined when the browser cannot say it. */
  find: RegExp | undefined
  onOpen: (path: string, line: number) => void
  /** What can be done with a match. */
  actionOf: false | undefined | ((match: TextMatch) => ReactNode)
}

function Matches({ path, matches, find, onOpen, actionOf }: MatchesProps) {
  return (
    <section aria-label={path} className="pb-1">
      <h3 className="truncate px-4 pt-1.5 pb-0.5 text-small font-medium" title={path}>
        {path}
      </h3>
      {matches.map((match) => (
        <div key={`${match.line}:${match.column}`} className="flex items-center pr-2 hover:bg-hover">
          <button
            type="button"
            onClick={() => onOpen(path, match.line)}
            className="flex min-w-0 flex-1 items-baseline gap-3 px-4 py-0.5 text-left focus-visible:-outline-offset-2 max-md:py-2"
          >
            <span className="w-8 shrink-0 text-right text-small text-muted tabular">{match.line}</span>
            <code className="truncate text-small [font-variant-ligatures:none]">
              <Highlighted text={match.text.trim()} find={find} />
            </code>
          </button>
          {actionOf && actionOf(match)}
        </div>
      ))}
    </section>
  )
}

function Highlighted({ text, find }: { text: string; find: RegExp | undefined }) {
  if (!find) return text
  // what is split by a group has the hits at odd places
  return text.split(find).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <mark key={index} className="rounded-sm bg-amber-soft text-text">
        {piece}
      </mark>
    ),
  )
}
