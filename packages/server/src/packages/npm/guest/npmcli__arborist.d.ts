declare module '@npmcli/arborist' {
  export interface ArboristNode {
    /** `node_modules/a/node_modules/b`; empty for the root. */
    location: string
    name: string
    packageName: string
    version: string
    isProjectRoot: boolean
    isLink: boolean
    inBundle: boolean
    /** An optional dependency that cannot be used here. */
    inert: boolean
  }

  export class Arborist {
    constructor(options: Record<string, unknown>)
    buildIdealTree(options?: Record<string, unknown>): Promise<{ inventory: Map<string, ArboristNode> }>
  }
  export default Arborist
}
