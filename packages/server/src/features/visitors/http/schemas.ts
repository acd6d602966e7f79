/** The schemas of visitors, shared by the document, the changelog and the tests. */

import { limits } from '@trellis/schema/resources/limits.ts';
import type { TSchema } from '@trellis/schema/resources/type.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import {
  boundedText,
  exampleId,
  idSchema,
  instant,
  integer,
  object,
  oneOf,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../../kernel/http/schemas.ts';
import { deviceTypes } from '../client.ts';
import { visitorLimits } from '../limits.ts';
import { identifyBodySchema } from '../signals.ts';

const visitorId = text('Id of the visitor.', exampleId(visitors.idPrefix), {
  pattern: '^vis_[0-9a-hjkmnp-tv-z]{26}$',
});

const requestId = text(
  'Id of the identify call that the rest of the record comes from.',
  '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
);

const confidence = object('How sure it is who this is.', {
  score: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'Estimated probability that the id is the right one: 0.99 by a stored token and the same signals, 0.95 by a stored token, at most 0.6 by signals alone, 0.5 for a new visitor, 0 for a bot.',
    examples: [0.99],
  },
});

const visitor = object('A visitor of a site, as its browser was last identified.', {
  visitorId,
  requestId,
  confidence,
  browser: object('The browser, as its own headers tell.', {
    name: boundedText(
      'Name; `unknown` if it cannot be determined.',
      'Chrome',
      visitorLimits.browserNameCharacters,
    ),
    version: boundedText(
      'Version; `unknown` if it cannot be determined.',
      '141.0.0.0',
      visitorLimits.browserVersionCharacters,
    ),
  }),
  device: object('The device, as far as the headers tell.', {
    type: oneOf(
      'Kind of device; `bot` is any client that is not a person with a browser.',
      'desktop',
      deviceTypes,
    ),
  }),
  firstSeenAt: instant('First identification.', '2026-01-01T00:00:00.000Z'),
  lastSeenAt: instant('Newest identification.', '2026-02-01T00:00:00.000Z'),
});

const siteId = idSchema('site', 'The site.');
const listedVisitor = object('A visitor of a site.', {
  visitorId,
  siteId,
  visits: integer('How often its browser was identified.', 3, { minimum: 1 }),
  firstSeenAt: instant('First identification.', '2026-01-01T00:00:00.000Z'),
  lastSeenAt: instant('Newest identification.', '2026-02-01T00:00:00.000Z'),
  browser: orNull(
    boundedText(
      'Name of the browser at the newest visit; null if that is no longer kept.',
      'Chrome',
      visitorLimits.browserNameCharacters,
    ),
  ),
  deviceType: orNull(
    oneOf('Kind of device at the newest visit; null if that is no longer kept.', 'desktop', deviceTypes),
  ),
});

const day = (description: string) => text(description, '2026-11-28', { format: 'date' });
const visitCounts = object('Visits by day and site.', {
  from: orNull(day('The first day that is counted as a whole; null if not even today is.')),
  items: {
    type: 'array',
    items: object('The visits of a site on a day.', {
      day: day('The day, in the requested time zone.'),
      siteId,
      visits: integer('Visits.', 42, { minimum: 1 }),
      visitors: integer('Different visitors.', 17, { minimum: 1 }),
    }),
    description: 'The newest day first. A day without visits of a site is not listed.',
    examples: [[{ day: '2026-11-28', siteId: exampleId('site'), visits: 42, visitors: 17 }]],
  },
});

const identification = object('The recognized visitor.', {
  visitorId,
  requestId: { ...requestId, description: 'Id of this call.' },
  confidence,
  storedToken: orNull(
    boundedText(
      'Token that the browser stores and sends with the next call, unchanged. Null for a visitor who refuses to be recognized: the browser then removes a stored one.',
      'AQE',
      visitorLimits.storedTokenCharacters,
    ),
  ),
});

const change = object('One change of the interface.', {
  date: text('Day of the change.', '2026-11-21', { format: 'date' }),
  kind: oneOf(
    'What happened. Within `/v1`, nothing is removed that was not deprecated for 24 months.',
    'ADDED',
    ['ADDED', 'DEPRECATED', 'REMOVED'],
  ),
  members: {
    type: 'array',
    items: { type: 'string' },
    description: 'The changed members, as `schema.member`.',
    examples: [['visitor.firstSeenAt']],
  },
  summary: boundedText('The change in words.', 'The visitor lookup.', 1_000),
  shape: boundedText('Digest of the whole shape after the change.', 'aB3dE6gH9jK2', 64),
});

const changelog = object('Changes of the visitor lookup.', {
  changes: { type: 'array', items: change, description: 'The newest first.', examples: [change.examples] },
});

const identifyBodyType: TSchema = identifyBodySchema;
/** The body of an identify call. */
export const identifyBody = identifyBodyType as JsonSchema;
/** Component of the response to it. */
export const identificationName = 'VisitorIdentification';

/** What operations on visitors return, by component. */
export const visitorSchemas: Schemas = {
  Visitor: visitor,
  [identificationName]: identification,
  VisitorLookupChangelog: changelog,
  ListedVisitor: listedVisitor,
  VisitorList: pageSchema(
    'One page of visitors.',
    reference('ListedVisitor'),
    listedVisitor.examples ?? [],
    limits.listPageSize.max,
  ),
  VisitCounts: visitCounts,
};

/** Everything whose change is a change of the visitor lookup. */
export const visitorLookupSchemas: Schemas = {
  visitor,
  identification,
  identifyBody,
};
