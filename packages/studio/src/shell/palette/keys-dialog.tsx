import { Dialog, DialogBody } from '../../ui/dialog/dialog.tsx'
import { Kbd } from '../../ui/text/kbd.tsx'
import { placePages } from '../places.ts'

const groups: { title: string; keys: [keys: string, does: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['mod k', 'Search everything'],
      ['?', 'Show these keys'],
      ['[', 'Collapse or expand navigation'],
      ['escape', 'Close the open dialog or menu'],
    ],
  },
  { title: 'Go to', keys: placePages.map(({ key, label }) => [`g ${key}`, label]) },
  {
    title: 'Lists and inbox',
    keys: [
      ['up down', 'Move'],
      ['enter', 'Open'],
      ['j', 'Next in the inbox'],
      ['k', 'Previous in the inbox'],
      ['a', 'Approve'],
      ['r', 'Reject'],
      ['e', 'Dismiss'],
    ],
  },
  {
    title: 'Code',
    keys: [
      ['mod enter', 'Run'],
      ['shift enter', 'Run the cell and go to the next'],
      ['mod i', 'Edit the selection by instruction'],
      ['mod b', 'Open or close the left dock'],
      ['mod j', 'Open or close the bottom dock'],
      ['mod alt b', 'Open or close the right dock'],
      ['shift mod f', 'Search in all files of a workspace'],
      ['alt f5', 'Go to the next proposed change'],
      ['mod s', 'Save the file'],
      ['shift alt f', 'Format the file'],
      ['alt w', 'Close the tab'],
      ['alt pagedown', 'Next tab'],
    ],
  },
]

/** Every key of the studio in one list. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys" wide>
      <DialogBody>
        <div className="grid gap-x-8 gap-y-5 pb-4 sm:grid-cols-2">
          {groups.map(({ title, keys }) => (
            <section key={title} aria-label={title}>
              <h3 className="pb-1 text-small font-medium text-muted">{title}</h3>
              <dl className="flex flex-col">
                {keys.map(([key, does]) => (
                  <div key={key} className="flex h-8 items-center justify-between gap-4 text-dense">
                    <dt className="order-2">
                      <Kbd keys={key} />
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogBody>
    </Dialog>
  )
}
