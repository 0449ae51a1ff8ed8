/** Something the person who starts the server must mend. The message is one sentence and all they see. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
