/** The schemas of visitors, shared by the document, the changelog and the tests. */

import type { TSchema } from '@trellis/schema/resources/type.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Schemas } from '../../contract/openapi/record-schemas.ts';
import { deviceTypes } from '../client.ts';
import { visitorLimits } from '../limits.ts';
import { identifyBodySchema } from '../signals.ts';

export const visitorIdSchema = {
  type: 'string',
  pattern: '^vis_[0-9a-hjkmnp-tv-z]{26}$',
  description: 'Id of the visitor.',
  examples: ['vis_01h455vb4pex5vsknk084sn02q'],
} as const;

const requestId: JsonSchema = {
  type: 'string',
  description: 'Id of the identify call that the rest of the record comes from.',
  examples: ['01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90'],
};

const confidence: JsonSchema = {
  type: 'object',
  description: 'How sure it is who this is.',
  properties: {
    score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description:
        'Estimated probability that the id is the right one: 0.99 by a stored token and the same signals, 0.95 by a stored token, at most 0.6 by signals alone, 0.5 for a new visitor, 0 for a bot.',
      examples: [0.99],
    },
  },
  required: ['score'],
  examples: [{ score: 0.99 }],
};

function text(description: string, example: string, maxLength: number): JsonSchema {
  return { type: 'string', minLength: 1, maxLength, description, examples: [example] };
}

function instant(description: string, example: string): JsonSchema {
  return { type: 'string', format: 'date-time', description, examples: [example] };
}

/** A schema of an object whose members are always there. */
function complete(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const example = Object.entries(properties).map(([name, { examples }]) => [name, examples?.[0]]);
  return {
    type: 'object',
    description,
    properties,
    required: Object.keys(properties),
    examples: [Object.fromEntries(example)],
  };
}

const visitor = complete('A visitor of a site, as its browser was last identified.', {
  visitorId: visitorIdSchema,
  requestId,
  confidence,
  browser: complete('The browser, as its own headers tell.', {
    name: text('Name; `unknown` if it cannot be determined.', 'Chrome', visitorLimits.browserNameCharacters),
    version: text(
      'Version; `unknown` if it cannot be determined.',
      '141.0.0.0',
      visitorLimits.browserVersionCharacters,
    ),
  }),
  device: complete('The device, as far as the headers tell.', {
    type: {
      type: 'string',
      enum: [...deviceTypes],
      description: 'Kind of device; `bot` is everything that is no person with a browser.',
      examples: ['desktop'],
    },
  }),
  firstSeenAt: instant('First identification.', '2026-01-01T00:00:00.000Z'),
  lastSeenAt: instant('Newest identification.', '2026-02-01T00:00:00.000Z'),
});

const identification: JsonSchema = complete('The recognized visitor.', {
  visitorId: visitorIdSchema,
  requestId: { ...requestId, description: 'Id of this call.' },
  confidence,
  storedToken: {
    anyOf: [
      { type: 'string', minLength: 1, maxLength: visitorLimits.storedTokenCharacters },
      { type: 'null' },
    ],
    description:
      'Token that the browser stores and sends with the next call, unchanged. Null for a visitor who refuses to be recognized: the browser then removes a stored one.',
    examples: ['AQE'],
  },
});

const change = complete('One change of the interface.', {
  date: { type: 'string', format: 'date', description: 'Day of the change.', examples: ['2026-11-21'] },
  kind: {
    type: 'string',
    enum: ['ADDED', 'DEPRECATED', 'REMOVED'],
    description: 'What happened. Within `/v1`, nothing is removed that was not deprecated for 24 months.',
    examples: ['ADDED'],
  },
  members: {
    type: 'array',
    items: { type: 'string' },
    description: 'The changed members, as `schema.member`.',
    examples: [['visitor.firstSeenAt']],
  },
  summary: text('The change in words.', 'The visitor lookup.', 1_000),
  shape: text('Digest of the whole shape after the change.', 'aB3dE6gH9jK2', 64),
});

const changelog = complete('Changes of the visitor lookup.', {
  changes: { type: 'array', items: change, description: 'The newest first.', examples: [change.examples] },
});

const identifyBodyType: TSchema = identifyBodySchema;
/** The body of an identify call. */
export const identifyBody = identifyBodyType as JsonSchema;
/** Component of the body of an identify call. */
export const identifyBodyName = 'VisitorIdentificationCreate';
/** Component of its answer. */
export const identificationName = 'VisitorIdentification';

/** What operations on visitors answer, by component. */
export const visitorSchemas: Schemas = {
  Visitor: visitor,
  [identificationName]: identification,
  VisitorLookupChangelog: changelog,
};

/** Everything whose change is a change of the visitor lookup. */
export const visitorLookupSchemas: Schemas = {
  visitor,
  identification,
  identifyBody,
};
