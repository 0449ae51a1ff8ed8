import { createToken, type DataDirectory } from './base/index.ts'

/** Which server process something under way belongs to: whoever starts on the same data directory is the same one. */
export function readServerId(directory: DataDirectory): Promise<string> {
  return directory.privateFile('server-id', () => createToken())
}
