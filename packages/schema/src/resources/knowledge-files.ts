/**
 * Why: a knowledge file is a document that some members may know of and others may not. Its bytes are kept outside the
 * database; its text is extracted in the background and searched.
 */
import {
  choice,
  choices,
  instant,
  integer,
  locale,
  nullable,
  readOnly,
  reference,
  references,
  text,
  verbatimText,
} from './fields.ts';
import { contentGrants } from './grants.ts';
import { limits } from './limits.ts';
import { defineResource, type RecordOf } from './resource.ts';
import { labels, updatedSince } from './shapes.ts';

export const fileVisibilities = ['PRIVATE', 'RESTRICTED', 'ORGANIZATION'] as const;
export const fileStatuses = ['PENDING_UPLOAD', 'PROCESSING', 'READY', 'FAILED'] as const;
/** The roles of members, as in the permissions. */
const memberRoles = ['OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'] as const;

export const knowledgeFiles = defineResource({
  name: 'knowledge-files',
  singular: 'knowledge-file',
  title: { singular: 'KnowledgeFile', plural: 'KnowledgeFiles' },
  description: 'A document with its text, seen only by those it is meant for.',
  module: 'knowledge',
  idPrefix: 'kf',
  path: '/knowledge-files',
  scope: 'knowledge-files',
  grants: contentGrants,
  events: {
    ready: 'The text of a knowledge file can be searched.',
    failed: 'The text of a knowledge file could not be extracted.',
  },
  parent: null,
  table: 'knowledge_files',
  fields: {
    name: text({
      max: 255,
      required: true,
      searchable: 'A',
      description: 'Name shown to people.',
      example: 'Travel policy 2026',
    }),
    description: nullable(
      text({
        max: 2_000,
        searchable: 'B',
        description: 'What is in it.',
        example: 'Who may travel how, and what is paid.',
      }),
    ),
    tags: labels,
    language: nullable(locale({ description: 'Language of the text (BCP 47).', example: 'en' })),
    sourceUrl: nullable(
      text({
        max: 2_000,
        format: 'http-url',
        description: 'Where the file comes from.',
        example: 'https://intranet.example.com/travel-policy.pdf',
      }),
    ),
    expiresAt: nullable(
      instant({
        when: 'future',
        description:
          'When the file is deleted by itself, with its content. One that records still refer to stays until they no longer do.',
        example: '2027-06-01T00:00:00.000Z',
      }),
    ),
    visibility: choice(fileVisibilities, {
      default: 'PRIVATE',
      description:
        'PRIVATE: the owner alone, administrators included among the others. RESTRICTED: also `allowedUserIds` and `allowedRoles`. ORGANIZATION: every member. Changed by the owner, or by an OWNER or ADMIN who sees the file.',
      example: 'ORGANIZATION',
    }),
    allowedUserIds: references('users', {
      max: 200,
      description: 'Members who may see the file while it is RESTRICTED.',
      example: ['user_01h455vb4pex5vsknk084sn02q'],
    }),
    allowedRoles: choices(memberRoles, {
      description: 'Roles whose members may see the file while it is RESTRICTED.',
      example: ['EDITOR'],
    }),
    ownerUserId: reference('users', {
      description: 'Whose file it is: the creator when not given. Changed by the owner, an OWNER or ADMIN.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    }),
    fileName: readOnly(
      nullable(
        text({ max: 255, description: 'Name the content was uploaded under.', example: 'policy.pdf' }),
      ),
    ),
    mediaType: readOnly(
      nullable(
        text({
          max: 255,
          description: 'Type of the content, recognized from its bytes.',
          example: 'application/pdf',
        }),
      ),
    ),
    sizeBytes: readOnly(
      nullable(integer({ min: 0, max: 2_147_483_647, description: 'Size of the content.', example: 48_213 })),
    ),
    sha256: readOnly(
      nullable(
        text({
          max: 64,
          pattern: '^[0-9a-f]{64}$',
          description: 'SHA-256 of the content.',
          example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        }),
      ),
    ),
    pageCount: readOnly(
      nullable(integer({ min: 0, max: 2_147_483_647, description: 'Pages of a PDF.', example: 12 })),
    ),
    contentVersion: readOnly(
      integer({
        min: 0,
        max: 2_147_483_647,
        default: 0,
        description: 'How many times content was given.',
        example: 1,
      }),
    ),
    status: readOnly(
      choice(fileStatuses, {
        default: 'PENDING_UPLOAD',
        description:
          'PENDING_UPLOAD: no content yet. PROCESSING: its text is being extracted. READY: it is found by its text. FAILED: see `failureReason`; the content itself can be downloaded.',
        example: 'READY',
      }),
    ),
    failureReason: readOnly(
      nullable(
        text({
          max: 1_000,
          description: 'Why no text could be extracted.',
          example: 'The document is protected by a password.',
        }),
      ),
    ),
    extractedCharacters: readOnly(
      nullable(
        integer({
          min: 0,
          max: 2_147_483_647,
          description: 'Length of the extracted text.',
          example: 31_337,
        }),
      ),
    ),
  },
  createOnly: {
    content: verbatimText({
      maxBytes: limits.inlineContentBytes,
      description:
        'A small text as the content, instead of an upload; at most 256 KiB of UTF-8. What it is is recognized as for an upload.',
      example: '# Travel policy\n\nTrains before planes.',
    }),
  },
  languageField: 'language',
  sideTables: { knowledge_file_tags: { column: 'tag', values: ['tags'] } },
  ownOperations: ['create', 'putContent', 'getContent', 'extract'],
  titleField: 'name',
  unique: {},
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: fileStatuses,
      description: 'How far the content is.',
      example: 'READY',
    },
    visibility: {
      kind: 'choice',
      field: 'visibility',
      values: fileVisibilities,
      description: 'Who may see it.',
      example: 'ORGANIZATION',
    },
    ownerUserId: {
      kind: 'reference',
      field: 'ownerUserId',
      description: 'Files of this member.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    },
    tag: {
      kind: 'via',
      table: 'knowledge_file_tags',
      format: 'label',
      description: 'Files with this label.',
      example: 'policy',
    },
    updatedSince,
  },
  searchSources: ['knowledge-files'],
  searchCursor: true,
  import: { withoutContent: true },
});

export type KnowledgeFile = RecordOf<typeof knowledgeFiles>;
