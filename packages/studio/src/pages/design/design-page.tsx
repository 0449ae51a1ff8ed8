import type { ReactNode } from 'react'
import { usePageTitle } from '../../shell/page-title.ts'
import { Colours } from './colours.tsx'
import { ControlSamples } from './control-samples.tsx'
import { FloatingSamples } from './floating-samples.tsx'
import { ListSamples } from './list-samples.tsx'
import { PanelSamples } from './panel-samples.tsx'
import { StateSamples } from './state-samples.tsx'
import { TypeSamples } from './type-samples.tsx'

/** Every component of src/ui in its states, in both themes, for review. */
export function DesignPage() {
  usePageTitle('Design')
  return (
    <main className="min-h-dvh">
      <header className="px-8 py-8 max-md:px-4">
        <h1 className="text-title font-semibold">Design</h1>
        <p className="max-w-150 text-body text-muted">
          The parts the studio is made of, in all their states, light beside dark. Change a component here first.
        </p>
      </header>
      <div className="grid xl:grid-cols-2">
        {['light', 'dark'].map((theme) => (
          <div
            key={theme}
            data-theme={theme}
            className="flex min-w-0 flex-col gap-10 bg-canvas px-8 py-8 text-text max-md:px-4"
          >
            <Samples theme={theme} />
          </div>
        ))}
      </div>
    </main>
  )
}

function Samples({ theme }: { theme: string }) {
  return (
    <>
      <Section title="Colour">
        <Colours />
      </Section>
      <Section title="Type">
        <TypeSamples />
      </Section>
      <Section title="Controls">
        <ControlSamples />
      </Section>
      <Section title="States">
        <StateSamples />
      </Section>
      <Section title="Lists">
        <ListSamples theme={theme} />
      </Section>
      <Section title="Panels">
        <PanelSamples theme={theme} />
      </Section>
      <Section title="What floats">
        <FloatingSamples />
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-5">
      <h2 className="border-b border-line pb-2 text-lead font-semibold">{title}</h2>
      {children}
    </section>
  )
}
