import { recordAudit } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { alertOfSandbox } from './new-sandbox.ts'
import type { OpenSandbox } from './open-sandbox.ts'

/** Of its cells the runs tell; what is started beside them has only the sandbox to tell of it. */
export async function tellSigns(transaction: Transaction, { row, inside }: OpenSandbox): Promise<void> {
  const signs = inside.signs()
  if (signs.length > 0) await recordAudit(transaction, alertOfSandbox(row, signs))
}
