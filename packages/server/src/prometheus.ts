import type { Metrics } from '@domos/spec'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics that can be scraped. */
export interface PrometheusMetrics extends Metrics {
  /** Runs before each scrape, to set gauges. */
  beforeScrape(collect: () => void): void
  readonly contentType: string
  render(): Promise<string>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const BYTES = [64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304]

/** Creates a registry of its own; every name gets the prefix `domos_`. */
export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'domos_' })
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  const collectors: (() => void)[] = []

  // A metric's label names are those of its first use.
  const named = <T>(known: Map<string, T>, name: string, labels: object, create: (labelNames: string[]) => T): T => {
    let metric = known.get(name)
    if (metric === undefined) {
      metric = create(Object.keys(labels))
      known.set(name, metric)
    }
    return metric
  }

  return {
    count(name, labels = {}, by = 1) {
      named(counters, name, labels, (labelNames) => {
        return new Counter({ name: `domos_${name}_total`, help: words(name), labelNames, registers: [registry] })
      }).inc(labels, by)
    },
    gauge(name, value, labels = {}) {
      named(gauges, name, labels, (labelNames) => {
        return new Gauge({ name: `domos_${name}`, help: words(name), labelNames, registers: [registry] })
      }).set(labels, value)
    },
    observe(name, value, labels = {}) {
      named(histograms, name, labels, (labelNames) => {
        const buckets = name.endsWith('_bytes') ? BYTES : SECONDS
        return new Histogram({ name: `domos_${name}`, help: words(name), labelNames, buckets, registers: [registry] })
      }).observe(labels, value)
    },
    beforeScrape(collect) {
      collectors.push(collect)
    },
    contentType: registry.contentType,
    render() {
      for (const collect of collectors) collect()
      return registry.metrics()
    },
  }
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}
