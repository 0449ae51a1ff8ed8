import { context, SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api'
import { describeError } from './log.ts'

const tracer = trace.getTracer('coherex')

/** Runs `work` inside a span. Without an exporter this costs next to nothing. */
export async function inSpan<T>(
  name: string,
  options: { kind?: 'server' | 'client' | 'internal'; attributes?: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const kind = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }[
    options.kind ?? 'internal'
  ]
  const span = tracer.startSpan(name, { kind, ...(options.attributes ? { attributes: options.attributes } : {}) })
  return context.with(trace.setSpan(context.active(), span), async () => {
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
