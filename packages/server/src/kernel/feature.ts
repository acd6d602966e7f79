/**
 * A feature: what a folder of `features` adds to the kernel, which knows features by this type alone. `features.ts` lists them, and the
 * processes (`node`) start what they describe.
 */
import type { FastifyInstance } from 'fastify';
import type { Loop, RoleDependencies, RoleWork } from './background/roles.ts';
import type { FeatureDocuments } from './contract/feature-documents.ts';
import type { Database } from './database/database.ts';
import type { FanOut } from './events/outbox.ts';
import type { HttpContext } from './http/context.ts';
import type { Metrics } from './http/metrics.ts';
import type { Operation } from './http/operation.ts';
import type { ErrorFormat } from './http/refusals.ts';
import type { SharedOperations } from './http/resource-operations.ts';
import type { Extension } from './pipeline/extensions.ts';
import type { Model } from './pipeline/model.ts';
import type { RateLimiter, TakeTenant } from './rate-limits/rate-limiter.ts';

export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  /** Storage and rules of its resources. */
  readonly extensions?: readonly Extension[];
  /** Makes what it serves; called once for each server. */
  readonly serve?: (context: HttpContext) => ServedFeature;
  readonly documents?: FeatureDocuments;
  /** The format of errors of its interface, if they are not problem details. */
  readonly errorFormat?: ErrorFormat;
  readonly background?: FeatureBackground;
  /** Opens and seals the secrets of its rows, when an organization moves to another installation. */
  readonly movedSecrets?: SecretSealing;
}

/** Opens and seals secrets under a key of the installation. */
export interface SecretSealing {
  open(sealed: string, owner: SecretOwner): string;
  seal(secret: string, owner: SecretOwner): string;
}

/** Whose secret it is; uuids. */
interface SecretOwner {
  readonly organizationId: string;
  readonly endpointId: string;
}

/** Creates the own operations of a resource, by the names in its declaration. */
export type OwnOperations = (model: Model, shared: SharedOperations) => Readonly<Record<string, Operation>>;

/** The part of a feature in one server. */
export interface ServedFeature {
  /** Own operations of resources, by the name of the resource. */
  readonly ownOperations?: Readonly<Record<string, OwnOperations>>;
  /** Operations of the tenant API that belong to no resource. */
  readonly operations?: readonly Operation[];
  /** Registers interfaces beside the tenant API. */
  readonly register?: (app: FastifyInstance, parts: ServingParts) => void;
  readonly close?: () => Promise<void>;
}

/** What interfaces beside the tenant API are served with. */
export interface ServingParts {
  readonly takeTenant: TakeTenant;
  /** A limiter of its own; `scope` names the interface. */
  readonly limiterOf: (scope: string) => RateLimiter;
  readonly metrics: Metrics;
  /** Public address of the plant store. */
  readonly sandboxUrl: () => string;
}

/** The background work of a feature. */
interface FeatureBackground {
  /** Roles that only this feature has work for. */
  readonly roles?: readonly RoleWork[];
  /** Loops of the role `scheduler`. `worker`: pool of the database role `trellis_worker` */
  readonly scheduled?: (dependencies: RoleDependencies, worker: Database) => readonly Loop[];
  /** Those that need no such pool. */
  readonly scheduledWithoutWorker?: (dependencies: RoleDependencies) => readonly Loop[];
  /** Statements about logged events, in the relay's transaction. */
  readonly fanOut?: FanOut;
}
