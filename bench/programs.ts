// What the benches run.
import { benchCode } from './bare-isolate.ts'

export const javascript = (at: number) => ({ language: 'javascript' as const, code: benchCode(at), input: { n: at } })

/** A program that imports pandas and computes on input that no run before it had. */
export const pandas = (at: number) => ({
  language: 'python' as const,
  code: 'import coherex, pandas as pd\nframe = pd.DataFrame(coherex.input)\nframe.groupby("group")["value"].agg(["sum", "mean"]).to_dict()',
  input: Array.from({ length: 50 }, (_, row) => ({ group: `g${(row + at) % 5}`, value: row * at })),
})
