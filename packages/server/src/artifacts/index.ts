export { createArtifacts, type Artifacts } from './create-artifacts.ts'
export { createShares, type Shares } from './create-shares.ts'
