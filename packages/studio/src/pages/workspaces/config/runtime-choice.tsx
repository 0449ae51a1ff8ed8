import type { Language } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { explainRefusal } from '../../../cell/explain-refusal.ts'
import { readOptions, type TypedOptions } from '../../../cell/options/typed-options.ts'
import type { Right } from '../../../data/access/rights.ts'
import { runRouteQuery } from '../../../data/run/run-route.ts'
import { RuntimeVerdicts } from '../../../output/details/runtime-verdicts.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { useSettled } from '../../../ui/state/use-settled.ts'

interface RuntimeChoiceProps {
  workspaceId: string
  path: string
  language: Language
  options: TypedOptions
  fileHash: string
  mayRun: Right
}

const typingPauseMs = 400

/** The runtime that the file would get now, in the router's own words. */
export function RuntimeChoice({ workspaceId, path, language, options, fileHash, mayRun }: RuntimeChoiceProps) {
  const { part, errors } = readOptions(options)
  // these change nothing about where it runs
  const { input: _input, stdin: _stdin, env: _env, ...given } = part
  const asked = useSettled(
    JSON.stringify({ ...given, language, code: '', entry: path, workspaceId, fileHash }),
    typingPauseMs,
  )
  const { fileHash: hash, ...body } = JSON.parse(asked) as Parameters<typeof runRouteQuery>[0] & { fileHash: string }
  const { data, error } = useQuery({
    ...runRouteQuery(body, hash),
    enabled: mayRun.may && Object.keys(errors).length === 0,
  })
  if (error) return <Callout tone="warning">{explainRefusal(error)}</Callout>
  return (
    <div aria-live="polite" className="text-dense">
      {data && <RuntimeVerdicts {...data} />}
    </div>
  )
}
