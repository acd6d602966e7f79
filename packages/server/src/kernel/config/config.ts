/** Reads the configuration from the environment and the command line. A misspelt name is an error, not a silent default. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { nearestName } from '@trellis/schema/values/text.ts';
import type { Defaulted, Setting } from './setting.ts';
import { settings } from './settings.ts';

/** Environment variables by name; an empty value counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Settings = typeof settings;

/** The values of all settings; null for settings that are unset and have no default. */
export type Config = {
  readonly [K in keyof Settings]: Settings[K] extends Defaulted<infer T>
    ? T
    : Settings[K] extends Setting<infer T>
      ? T | null
      : never;
};

/** Settings from command-line options, as text. They take precedence over the environment. */
export type ConfigOverrides = {
  readonly [K in 'port' | 'host' | 'dataDir' | 'roles' | 'workers']?: string | undefined;
};

/** The configuration is invalid; the message lists every fault. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const list = faults.map((fault) => `\n  - ${fault}`).join('');
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:${list}`);
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}

/** The environment of the process, completed by a `.env` file in the folder. Real variables take precedence. */
export function readEnvironment(folder: string, real: Environment): Environment {
  let text: string;
  try {
    text = readFileSync(join(folder, '.env'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return real;
    throw new ConfigurationError([`${join(folder, '.env')} cannot be read: ${(error as Error).message}`]);
  }
  return { ...parseEnv(text), ...real };
}

/** @throws ConfigurationError with all faults: invalid values, unknown `TRELLIS_` names, missing settings */
export function loadConfig(overrides: ConfigOverrides, environment: Environment): Config {
  const faults: string[] = [];
  const given: Record<string, string | undefined> = overrides;
  const entries = Object.entries(settings).map(([key, setting]) => {
    const override = given[key];
    const text = override ?? (environment[setting.name] || setting.default);
    try {
      return [key, text === null || text === undefined ? null : setting.read(text.trim())];
    } catch (error) {
      const name = override === undefined ? setting.name : optionOf(key);
      faults.push(`${name} ${(error as Error).message}`);
      return [key, null];
    }
  });
  faults.push(...describeUnknownNames(environment));
  const config = Object.fromEntries(entries) as Config;
  for (const name of ['TRELLIS_CURSOR_KEY', 'TRELLIS_VISITOR_KEY']) {
    if (environment.TRELLIS_DATABASE_URL && !environment[name]) {
      faults.push(
        `${name} is missing. It is required with TRELLIS_DATABASE_URL, the same on all nodes; "openssl rand -hex 32" generates one.`,
      );
    }
  }
  if (environment.TRELLIS_DATABASE_REPLICA_URL && !environment.TRELLIS_DATABASE_URL)
    faults.push('TRELLIS_DATABASE_URL is missing. It is required with TRELLIS_DATABASE_REPLICA_URL.');
  for (const names of settingsOfOneThing) {
    const missing = names.filter((name) => !environment[name]);
    const given = names.find((name) => environment[name]);
    if (given !== undefined)
      faults.push(...missing.map((name) => `${name} is missing. It is required with ${given}.`));
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return config;
}

/** Groups of settings of which either all or none are given. */
const settingsOfOneThing = [
  ['TRELLIS_S3_ACCESS_KEY_ID', 'TRELLIS_S3_SECRET_ACCESS_KEY'],
  ['TRELLIS_SMTP_URL', 'TRELLIS_MAIL_FROM'],
  ['TRELLIS_OIDC_ISSUER', 'TRELLIS_OIDC_CLIENT_ID', 'TRELLIS_OIDC_CLIENT_SECRET'],
] as const;

/** Whether an external PostgreSQL is configured instead of the embedded one. */
export function usesExternalDatabase(config: Config): boolean {
  return config.databaseUrl !== null || config.databaseWorkerUrl !== null || config.databaseOwnerUrl !== null;
}

/** The public origin, if configured. */
export function publicOrigin(config: Config): string | null {
  return config.baseUrl;
}

function optionOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function describeUnknownNames(environment: Environment): string[] {
  const known = Object.values(settings).map(({ name }) => name);
  return Object.keys(environment)
    .filter((name) => name.startsWith('TRELLIS_') && !known.some((other) => other === name))
    .sort()
    .map((name) => {
      const nearest = nearestName(name, known);
      return `${name} is not a setting.${nearest === null ? '' : ` Did you mean ${nearest}?`}`;
    });
}
