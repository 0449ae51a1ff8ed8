import {
  languageOfFile,
  manifestFiles,
  packageLanguageOf,
  type PackageLanguage,
  type WorkspaceFile,
} from '@coherex/contract'
import { LoaderCircle, Package } from 'lucide-react'
import { useState } from 'react'
import { PackagesField } from '../../../cell/options/packages/packages-field.tsx'
import type { Right } from '../../../data/access/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { useManifest } from './use-manifest.ts'

interface PackagesPanelProps {
  id: string
  files: readonly WorkspaceFile[]
  mayWrite: Right
  onOpen: (path: string) => void
}

const languages = ['python', 'javascript'] as const
export const names: Record<PackageLanguage, string> = { python: 'Python', javascript: 'JavaScript' }

/** Packages that everything in a workspace runs with, as its own files name them. */
export function PackagesPanel({ id, files, mayWrite, onOpen }: PackagesPanelProps) {
  const [begun, setBegun] = useState<readonly PackageLanguage[]>([])
  const shown = languages.filter((language) => begun.includes(language) || isUsed(language, files))
  const others = mayWrite.may ? languages.filter((language) => !shown.includes(language)) : []
  const buttons = others.map((language) => (
    <Button key={language} size="small" onClick={() => setBegun([...begun, language])}>
      Add {names[language]} packages
    </Button>
  ))
  if (shown.length === 0) {
    return (
      <Empty
        icon={Package}
        title="No packages yet"
        action={<div className="flex flex-wrap justify-center gap-2">{buttons}</div>}
      >
        Packages that are named here are there for every run, sandbox and agent that works with this workspace.
      </Empty>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-4 py-3">
      {shown.map((language) => (
        <ManifestSection key={language} {...{ id, files, mayWrite, onOpen, language }} />
      ))}
      {buttons.length > 0 && <div className="flex flex-wrap gap-2">{buttons}</div>}
    </div>
  )
}

function ManifestSection({
  id,
  files,
  mayWrite,
  onOpen,
  language,
}: PackagesPanelProps & { language: PackageLanguage }) {
  const { change, ...manifest } = useManifest(id, language, files)
  const isThere = (path: string) => files.some((file) => file.path === path)
  const open = (path: string) => (
    <Button key={path} size="small" look="quiet" onClick={() => onOpen(path)}>
      {path}
    </Button>
  )
  const paths = [manifest.manifest, manifest.lock].filter(isThere)
  return (
    <section aria-label={`${names[language]} packages`} className="flex flex-col gap-2">
      {manifest.loadError ? (
        <ErrorState doing={`load ${manifest.manifest}`} error={manifest.loadError} />
      ) : manifest.isLoading ? (
        <WaitingLines label={`Loading ${manifest.manifest}`} className="gap-2" lines={['h-4 w-20', 'h-8 w-full']} />
      ) : manifest.problem ? (
        <Callout tone="warning">{manifest.problem}</Callout>
      ) : mayWrite.may ? (
        <PackagesField
          label={names[language]}
          language={language}
          requirements={manifest.shown}
          lockFile={manifest.lockFile}
          isBusy={change.isPending}
          hint={`Written to ${manifest.manifest} and ${manifest.lock} as one version.`}
          onChange={(next) => change.mutate(next)}
        />
      ) : (
        <ul
          aria-label={names[language]}
          className="flex flex-wrap gap-1 font-mono text-small [font-variant-ligatures:none]"
        >
          {manifest.requirements.map((requirement) => (
            <li key={requirement} className="rounded-sm border border-line-strong bg-sunken px-2 py-0.5">
              {requirement}
            </li>
          ))}
        </ul>
      )}
      {change.isPending && (
        <p role="status" className="flex items-center gap-1.5 text-small text-muted">
          <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
          Resolving and writing {manifest.manifest}…
        </p>
      )}
      <FormError error={change.error} />
      {mayWrite.may && manifest.requirements.length > 0 && !isThere(manifest.lock) && (
        <Button
          size="small"
          className="self-start"
          busy={change.isPending}
          onClick={() => change.mutate(manifest.requirements)}
        >
          Write {manifest.lock}
        </Button>
      )}
      {paths.length > 0 && <div className="-ml-2 flex flex-wrap">{paths.map(open)}</div>}
    </section>
  )
}

/** It has code of the language, or names packages for it. */
function isUsed(language: PackageLanguage, files: readonly WorkspaceFile[]): boolean {
  return files.some(({ path }) => {
    const code = languageOfFile(path)
    return (
      manifestFiles[language].manifests.some((name) => name === path) ||
      (code !== undefined && packageLanguageOf(code) === language)
    )
  })
}
