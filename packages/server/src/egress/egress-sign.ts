/** What honest code rarely does on its way out. */
export interface EgressSign {
  kind: 'egress-refusals' | 'mining'
  detail: string
}
