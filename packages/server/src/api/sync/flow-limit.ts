/** What one client may send: so much at once, and so much each second on average. */
export interface FlowRules {
  messages: number
  messagesPerSecond: number
  bytes: number
  bytesPerSecond: number
}

/** Answers for each message whether it is still within the rules. */
export function createFlowLimit(rules: FlowRules): (bytes: number) => boolean {
  let [messages, room, at] = [rules.messages, rules.bytes, performance.now()]
  return (bytes) => {
    const now = performance.now()
    const seconds = (now - at) / 1000
    at = now
    messages = Math.min(rules.messages, messages + seconds * rules.messagesPerSecond) - 1
    room = Math.min(rules.bytes, room + seconds * rules.bytesPerSecond) - bytes
    return messages >= 0 && room >= 0
  }
}
