export { createNpmSource, type NpmSourceDeps } from './create-npm-source.ts'
export { readNpmSettings, type NpmSettings } from './npm-settings.ts'
