/** Starts tracing if the standard variables of OpenTelemetry name an endpoint (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). */
import type { Logger } from 'pino';
import { InstallationError } from '../../kernel/lib/installation-error.ts';
import { installTracer } from '../../kernel/lib/tracing.ts';

/**
 * Starts tracing.
 * @param environment of this process, which the SDK reads as well
 * @returns how to stop it; null if it is not configured
 * @throws InstallationError for variables that cannot be used
 */
export async function startTracing(
  environment: NodeJS.ProcessEnv,
  log: Logger,
): Promise<{ close(): Promise<void> } | null> {
  if (!isConfigured(environment)) return null;
  const { openTracer } = await import('./open-telemetry.ts');
  try {
    const { tracer, close } = openTracer(log);
    installTracer(tracer);
    return {
      close() {
        installTracer(null);
        return close();
      },
    };
  } catch (error) {
    throw new InstallationError(`The variables OTEL_… cannot be used: ${(error as Error).message}`);
  }
}

function isConfigured(environment: NodeJS.ProcessEnv): boolean {
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false;
  if (environment.OTEL_TRACES_EXPORTER?.trim() === 'none') return false;
  return Boolean(
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || environment.OTEL_EXPORTER_OTLP_ENDPOINT?.trim(),
  );
}
