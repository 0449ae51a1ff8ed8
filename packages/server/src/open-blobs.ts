import { join } from 'node:path'
import { createDiskBlobs, createS3Blobs, StartError, type Blobs } from './base/index.ts'
import type { Config } from './config.ts'
import { createEgress, operatorRules } from './egress/index.ts'

export type BlobPlace = 'disk' | 's3'

/** Where the settings say that blobs are kept. */
export function openBlobs(config: Config, options: { graceMs?: number } = {}): Promise<Blobs> {
  return openBlobsAt(config.s3 ? 's3' : 'disk', config, options)
}

export async function openBlobsAt(
  place: BlobPlace,
  config: Config,
  options: { graceMs?: number } = {},
): Promise<Blobs> {
  if (place === 'disk') return createDiskBlobs(config.blobDirectory, options)
  const { s3 } = config
  if (!s3) throw new StartError('No object store is set: COHEREX_S3_ENDPOINT and the settings beside it name one')
  const fetch = createEgress().fetchFor(operatorRules({ allow: [s3.endpoint] }))
  const blobs = createS3Blobs({ ...s3, ...options, fetch, directory: join(config.dataDirectory, 'uploads') })
  try {
    // a wrong name or key stops the start, and not the first person who saves a file
    for await (const _ of blobs.list({ teamId: 'none', folder: '00' })) break
  } catch (error) {
    throw new StartError((error as Error).message)
  }
  return blobs
}
