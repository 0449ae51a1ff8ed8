export const expiryChoices = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
] as const

export type ExpiryChoice = (typeof expiryChoices)[number]['value']

/** The moment a key made now stops working; undefined when it never does. */
export function expiryOf(choice: ExpiryChoice, nowMs: number): string | undefined {
  return choice === 'never' ? undefined : new Date(nowMs + Number(choice) * 86_400_000).toISOString()
}
