/** A client did what ours never do; the message goes into the closing of its connection. */
export class RefusedUpdate extends Error {}
