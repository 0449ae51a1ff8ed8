import { tellConsole, type Drawing } from './drawing.ts'

const given = globalThis as unknown as { coherexDrawing?: Drawing & { port: MessagePort } }
const { code, port } = given.coherexDrawing as Drawing & { port: MessagePort }
delete given.coherexDrawing
const post = port.postMessage.bind(port)
// a policy decides on requests; this speaks to hosts without any
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
  Reflect.deleteProperty(globalThis, name)
// the page takes the place of this one, with its policy; listeners go, and come back after
document.open()
tellConsole(port)
addEventListener('load', () => setTimeout(() => post({ height: document.documentElement.scrollHeight }), 50))
document.write(code)
document.close()
