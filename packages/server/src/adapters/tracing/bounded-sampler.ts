/**
 * Decides which traces are exported: as the configured sampler does, within limits. Anybody can send a `traceparent` that says
 * "sampled", or a trace id that a ratio selects, so callers cause only a limited number of traces beyond the configured ones.
 */
import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import {
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';
import { Counts } from '../../kernel/rate-limits/counts.ts';

/** Traces a minute of this process: all, and those that only the caller has chosen. */
export const traceLimits = { all: 6_000, chosenByCallers: 600 };

const notSampled: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

export class BoundedSampler implements Sampler {
  private readonly configured: Sampler;
  private readonly counts = new Counts();
  private readonly ids = new RandomIdGenerator();

  constructor(configured: Sampler) {
    this.configured = configured;
  }

  shouldSample(...given: Parameters<Sampler['shouldSample']>): SamplingResult {
    const [context, traceId, ...rest] = given;
    const parent = trace.getSpanContext(context);
    if (parent !== undefined && parent.isRemote !== true) {
      // A part of a trace that was decided on.
      const isSampled = (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
      return isSampled ? { decision: SamplingDecision.RECORD_AND_SAMPLED } : notSampled;
    }
    const result = this.configured.shouldSample(context, traceId, ...rest);
    if (result.decision !== SamplingDecision.RECORD_AND_SAMPLED) return notSampled;
    if (parent !== undefined) {
      const own = this.configured.shouldSample(ROOT_CONTEXT, this.ids.generateTraceId(), ...rest);
      const isOurs = own.decision === SamplingDecision.RECORD_AND_SAMPLED;
      if (!isOurs && !this.isWithin('chosenByCallers')) return notSampled;
    }
    return this.isWithin('all') ? result : notSampled;
  }

  toString(): string {
    return `Bounded{${this.configured}}`;
  }

  private isWithin(name: keyof typeof traceLimits): boolean {
    return this.counts.count([{ name, key: name, quota: traceLimits[name] }], performance.now()).accepted;
  }
}
