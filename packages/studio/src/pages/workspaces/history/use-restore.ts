import { useVersionRestore } from '../../../data/version.ts'
import { toast } from '../../../ui/toast/toast.ts'

/** Makes the files what they were at a version, with a way back. */
export function useRestore(id: string, last: number) {
  const restore = useVersionRestore()
  return function run(number: number): void {
    restore.mutate(
      { params: { id, number }, body: {} },
      {
        onSuccess: ({ version }) =>
          version === last
            ? toast({ title: `The files are what they were at version ${number}`, tone: 'info' })
            : toast({
                title: `Version ${number} is restored as version ${version}`,
                action: { label: 'Undo', run: () => restore.mutate({ params: { id, number: last }, body: {} }) },
              }),
        onError: (error) => toast({ title: error.message, tone: 'error' }),
      },
    )
  }
}
