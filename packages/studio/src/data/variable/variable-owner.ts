/** What variables are set for, as its routes name it. */
export type VariableOwner = { kind: 'workspace'; id: string } | { kind: 'agent'; name: string }

export const ownerKey = (owner: VariableOwner) => (owner.kind === 'workspace' ? owner.id : owner.name)
