import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api'
import { describeError } from './log.ts'

const tracer = trace.getTracer('coherex')

/** The headers by which a caller says which trace a request belongs to, and whether it is kept. */
export interface TraceHeaders {
  traceparent: string | undefined
  tracestate: string | undefined
}

interface SpanOptions {
  kind: 'server' | 'client'
  attributes: Attributes
  /** Of a request from elsewhere: its span is within the caller's. */
  from?: TraceHeaders
}

/** Runs `work` inside a span. Without an exporter this costs next to nothing. */
export async function inSpan<T>(
  name: string,
  { kind, attributes, from }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const around = from?.traceparent === undefined ? context.active() : propagation.extract(context.active(), from)
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT }
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, around)
  return context.with(trace.setSpan(around, span), async () => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      // as in the log: a driver's own message may hold values
      if (error instanceof Error) span.recordException({ name: error.name, message: describeError(error).message })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The same within another span that has not ended. What the server does by itself, such as looking for work, has none and makes none. */
export async function inChildSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan()?.isRecording() ? inSpan(name, options, work) : work()
}

/** Starts exporting spans to an OTLP collector over HTTP; answers a function that flushes and stops. Loads the SDK only now: it is slow to load. */
export async function startTracing(endpoint: string): Promise<() => Promise<void>> {
  const [{ NodeSDK }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const sdk = new NodeSDK({
    serviceName: 'coherex',
    traceExporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    instrumentations: [],
  })
  sdk.start()
  return () => sdk.shutdown()
}
