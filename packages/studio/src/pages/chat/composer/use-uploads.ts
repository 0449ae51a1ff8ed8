import { useEffect, useRef, useState } from 'react'
import { uploadAttachment } from '../../../data/attachment.ts'

/** A file of a message that is being written, as its draft keeps it. */
export interface DraftFile {
  key: string
  name: string
  size: number
  mediaType: string
  /** Of the attachment, once it is uploaded. */
  id?: string
}

/** What is known of a file beside its draft: gone with the page. */
export interface Upload {
  file: File
  /** Of its bytes, from 0 to 1. */
  share: number
  problem?: string
}

const mostFiles = 20
const mostBytes = 100 * 1024 * 1024

/** Uploads the files of a draft as soon as they are there. What was uploaded survives a reload. */
export function useUploads(files: readonly DraftFile[], change: (files: readonly DraftFile[]) => void) {
  const [uploads, setUploads] = useState<ReadonlyMap<string, Upload>>(new Map())
  const stops = useRef(new Map<string, AbortController>())
  // an upload that ends finds the list as it is then
  const latest = useRef({ files, change })
  useEffect(() => void (latest.current = { files, change }))
  useEffect(() => {
    const all = stops.current
    return () => {
      for (const stop of all.values()) stop.abort()
    }
  }, [])

  const note = (key: string, part: Partial<Upload> | undefined, file?: File) =>
    setUploads((before) => {
      const next = new Map(before)
      const known = before.get(key) ?? (file && { file, share: 0 })
      if (part && known) next.set(key, { ...known, ...part })
      else next.delete(key)
      return next
    })

  async function upload(key: string, file: File): Promise<void> {
    const stop = new AbortController()
    stops.current.set(key, stop)
    setUploads((before) => new Map(before).set(key, { file, share: 0 }))
    try {
      const onProgress = (share: number) => note(key, { share }, file)
      const { id, name, mediaType } = await uploadAttachment(file, { onProgress, signal: stop.signal })
      const { files: now, change: store } = latest.current
      const next = now.map((one) => (one.key === key ? { ...one, id, name, mediaType } : one))
      // another may end before this is drawn
      latest.current = { files: next, change: store }
      store(next)
    } catch (error) {
      if (!stop.signal.aborted) note(key, { problem: (error as Error).message }, file)
    } finally {
      stops.current.delete(key)
    }
  }

  return {
    uploads,
    /** Answers what is wrong with some of them. */
    add(all: readonly File[]): string | undefined {
      const fitting = all.filter(({ size }) => size <= mostBytes).slice(0, mostFiles - files.length)
      const added = fitting.map((file) => ({ key: newKey(), file }))
      const drafts = added.map(({ key, file }) => ({ key, name: file.name, size: file.size, mediaType: file.type }))
      const now = [...files, ...drafts]
      latest.current = { files: now, change }
      change(now)
      for (const { key, file } of added) void upload(key, file)
      if (all.some(({ size }) => size > mostBytes)) return 'A file can have up to 100 MB'
      return fitting.length < all.length ? `A message takes ${mostFiles} files` : undefined
    },
    retry(key: string): void {
      const known = uploads.get(key)
      if (known) void upload(key, known.file)
    },
    remove(key: string): void {
      stops.current.get(key)?.abort()
      note(key, undefined)
      change(files.filter((one) => one.key !== key))
    },
  }
}

let count = 0
/** Unique among the files of a draft, also after a reload. */
const newKey = () => `${Date.now().toString(36)}-${(count += 1)}`
