/** What a file of a program says it needs. */
export interface DeclaredPackages {
  requirements: string[]
  /** Such as `>=3.11`; absent where the file does not say. */
  requiresPython?: string
  /** Lines that name no package by name and version: addresses, paths and options of pip. Whoever uses the rest says so. */
  ignored: string[]
}
