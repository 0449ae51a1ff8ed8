import { Code } from '../../ui/text/code.tsx'
import { CopyField, ShortId } from '../../ui/text/copy.tsx'
import { Kbd } from '../../ui/text/kbd.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { Sample } from './sample.tsx'

const aWhileAgo = new Date(Date.now() - 200_000).toISOString()

export function TypeSamples() {
  return (
    <>
      <div className="flex flex-col gap-2">
        <p className="text-title font-semibold">Title 20/28, semibold</p>
        <p className="text-lead font-semibold">Lead 16/24, for dialogs</p>
        <p className="text-body">Body 14/20. The quick brown fox jumps over 0123456789.</p>
        <p className="text-dense">Dense 13/20, for lists and panels.</p>
        <p className="text-small text-muted">Small 12/16, muted, for hints.</p>
        <p className="font-mono text-dense">const answer = await run(“code”) // mono 13</p>
      </div>
      <Sample name="TextLink, Time, ShortId, Kbd">
        <span className="text-body">
          Read the <TextLink to="/design">reference</TextLink>, changed <Time at={aWhileAgo} />
        </span>
        <ShortId id="run_0vt3k9m2c4x7q1z8b5n6" />
        <Kbd keys="mod k" />
        <Kbd keys="g h" />
      </Sample>
      <Sample name="CopyField">
        <div className="w-full max-w-120">
          <CopyField label="Sample link" text="https://coherex.example/invite/8f2k1m9q7x3v5b6n" />
        </div>
      </Sample>
      <Sample name="Code">
        <div className="w-full max-w-120">
          <Code label="Sample code" text={'export default async (env, input) => {\n  return input.a + input.b\n}'} />
        </div>
      </Sample>
    </>
  )
}
