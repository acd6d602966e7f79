/**
 * Declaration of knowledge files: documents that only certain members may see. The content is stored outside the database;
 * its text is extracted in the background and searched.
 */
import {
  choice,
  choices,
  instant,
  integer,
  nullable,
  object,
  readOnly,
  reference,
  references,
  text,
  verbatimText,
} from './fields.ts';
import { authoredGrants } from './grants.ts';
import { limits } from './limits.ts';
import { defineResource, type RecordOf } from './resource.ts';
import { furtherDetails, labels, language, updatedSince } from './shapes.ts';
import { Type } from './type.ts';

const fileVisibilities = ['PRIVATE', 'RESTRICTED', 'ORGANIZATION'] as const;
const fileStatuses = ['PENDING_UPLOAD', 'PROCESSING', 'READY', 'NOT_APPLICABLE', 'FAILED'] as const;
/** The roles of members, as in the permissions. */
const memberRoles = ['OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'] as const;

const percent = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 100, description, examples: [example] });

const focalPoint = Type.Object(
  { x: percent('Percent from the left.', 50), y: percent('Percent from the top.', 30) },
  {
    additionalProperties: false,
    description:
      'The point of a picture, as people see it, that renditions with `fit=cover` keep; the center if null.',
    examples: [{ x: 50, y: 30 }],
  },
);

const pixels = (what: string, example: number) =>
  readOnly(
    nullable(
      integer({
        min: 1,
        max: 2_147_483_647,
        description: `${what} of a picture as people see it, in pixels; null for other files, and until the picture has been read.`,
        example,
      }),
    ),
  );

export const knowledgeFiles = defineResource({
  name: 'knowledge-files',
  singular: 'knowledge-file',
  title: { singular: 'KnowledgeFile', plural: 'KnowledgeFiles' },
  german: {
    singular: 'Datei',
    plural: 'Dateien',
    publishScope: 'Bilder öffentlich machen und zurückziehen.',
    fields: {
      sourceUrl: 'Quelladresse',
      visibility: 'Sichtbarkeit',
      allowedUserIds: 'Erlaubte Personen',
      allowedRoles: 'Erlaubte Rollen',
      fileName: 'Dateiname',
      mediaType: 'Medientyp',
      sizeBytes: 'Größe in Bytes',
      sha256: 'Prüfsumme',
      contentVersion: 'Inhaltsfassung',
      failureReason: 'Fehlergrund',
      extractedCharacters: 'Extrahierte Zeichen',
      alternativeText: 'Alternativtext',
      focalPoint: 'Bildmittelpunkt',
      x: 'Waagerecht in Prozent',
      y: 'Senkrecht in Prozent',
      width: 'Breite',
      height: 'Höhe',
      picture: 'Bild',
      picturePath: 'Adresse des Bildes',
      publicSince: 'Öffentlich seit',
      content: 'Inhalt',
    },
    values: {
      PRIVATE: 'Privat',
      RESTRICTED: 'Eingeschränkt',
      ORGANIZATION: 'Organisation',
      OWNER: 'Inhaber',
      ADMIN: 'Administrator',
      VIEWER: 'Leser',
      PENDING_UPLOAD: 'Wartet auf Datei',
      PROCESSING: 'In Verarbeitung',
      READY: 'Bereit',
      NOT_APPLICABLE: 'Ohne Text',
      FAILED: 'Fehlgeschlagen',
    },
  },
  description: 'A document with searchable text, visible to certain members only.',
  module: 'knowledge',
  idPrefix: 'kf',
  path: '/knowledge-files',
  scope: 'knowledge-files',
  publishScope: 'Make pictures public, and take them back.',
  grants: authoredGrants,
  events: {
    published: 'A picture was made public.',
    unpublished: 'A picture is no longer public.',
    ready: 'The text of a knowledge file can be searched.',
    failed: 'The text of a knowledge file could not be extracted.',
  },
  parent: null,
  table: 'knowledge_files',
  fields: {
    name: text({
      max: 255,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Display name.',
      example: 'Travel policy 2026',
    }),
    description: nullable(
      text({
        max: 2_000,
        searchable: 'B',
        prose: true,
        help: { en: 'What the file contains.', de: 'Was die Datei enthält.' },
        description: 'What is in it.',
        example: 'Who may travel how, and what is paid.',
      }),
    ),
    tags: labels,
    language,
    sourceUrl: nullable(
      text({
        max: 2_000,
        format: 'http-url',
        help: { en: 'Where the file comes from.', de: 'Woher die Datei stammt.' },
        description: 'Where the file comes from.',
        example: 'https://intranet.example.com/travel-policy.pdf',
      }),
    ),
    expiresAt: nullable(
      instant({
        when: 'future',
        help: {
          en: 'The file is then deleted with its content, unless other records still use it.',
          de: 'Dann wird die Datei mit ihrem Inhalt gelöscht, sofern kein anderer Eintrag sie verwendet.',
        },
        description:
          'When the file is deleted automatically, with its content. A file that other records refer to is kept until the references are gone.',
        example: '2027-06-01T00:00:00.000Z',
      }),
    ),
    visibility: choice(fileVisibilities, {
      default: 'PRIVATE',
      help: {
        en: '“Private”: only the owner, and no administrator. “Restricted”: also the people and roles below. “Organization”: every member.',
        de: '„Privat“: nur die zuständige Person, auch Administratoren nicht. „Eingeschränkt“: außerdem die Personen und Rollen unten. „Organisation“: alle Mitglieder.',
      },
      description:
        'PRIVATE: visible to the owner only, not even to administrators. RESTRICTED: also to `allowedUserIds` and `allowedRoles`. ORGANIZATION: to every member. May be changed by the owner, and by an OWNER or ADMIN who can see the file.',
      example: 'ORGANIZATION',
    }),
    allowedUserIds: references('users', {
      max: 200,
      help: {
        en: 'They see the file while it is restricted.',
        de: 'Sie sehen die Datei, solange sie eingeschränkt ist.',
      },
      description: 'Members who may see the file while it is RESTRICTED.',
      example: ['user_01h455vb4pex5vsknk084sn02q'],
    }),
    allowedRoles: choices(memberRoles, {
      help: {
        en: 'Members with these roles see the file while it is restricted.',
        de: 'Mitglieder mit diesen Rollen sehen die Datei, solange sie eingeschränkt ist.',
      },
      description: 'Roles whose members may see the file while it is RESTRICTED.',
      example: ['EDITOR'],
    }),
    ownerUserId: reference('users', {
      help: {
        en: 'Only the present owner, and owners and administrators of the organization, can change this.',
        de: 'Ändern können das nur die zuständige Person sowie Inhaber und Administratoren der Organisation.',
      },
      description: 'The owner; by default the creator. May be changed by the owner, an OWNER or an ADMIN.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    }),
    alternativeText: nullable(
      text({
        max: 1_000,
        searchable: 'B',
        prose: true,
        description: 'What a picture shows, for people who do not see it.',
        example: 'Two people planting an apple tree',
      }),
    ),
    focalPoint: nullable(object(focalPoint)),
    fileName: readOnly(
      nullable(
        text({
          max: limits.fileName,
          searchable: 'D',
          description: 'File name of the uploaded content.',
          example: 'policy.pdf',
        }),
      ),
    ),
    mediaType: readOnly(
      nullable(
        text({
          max: 255,
          description: 'Media type of the content, detected from its bytes.',
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
      nullable(
        integer({
          min: 0,
          max: 2_147_483_647,
          description: 'Pages of a PDF, slides of a presentation; null for other files.',
          example: 12,
        }),
      ),
    ),
    contentVersion: readOnly(
      integer({
        min: 0,
        max: 2_147_483_647,
        default: 0,
        description: 'Number of times that content was uploaded.',
        example: 1,
      }),
    ),
    status: readOnly(
      choice(fileStatuses, {
        isStatus: true,
        default: 'PENDING_UPLOAD',
        description:
          'PENDING_UPLOAD: no content yet. PROCESSING: the text is being extracted. READY: the text can be searched; a file without text, such as a scan, has `extractedCharacters` 0. NOT_APPLICABLE: the content is a picture, sound or film, which has no text to extract. FAILED: see `failureReason`; the content can still be downloaded.',
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
          description: 'Length of the extracted text; 0 for a file that has none.',
          example: 31_337,
        }),
      ),
    ),
    width: pixels('Width', 1_600),
    height: pixels('Height', 1_067),
    picturePath: readOnly(
      nullable(
        text({
          max: 200,
          description:
            'Path of a picture (JPEG, PNG, WebP, GIF, AVIF, TIFF; HEIC if the server has a decoder) below the address of the server. It depends on the content, is known before the picture is made public, and is served without a token while `publicSince` is set; see `GET /pictures/{organization}/{file}/{content}`.',
          example: `/pictures/org_01h455vb4pex5vsknk084sn02q/kf_01h455vb4pex5vsknk084sn02q/e3b0c44298fc1c149afbf4c8996fb924`,
        }),
      ),
    ),
    publicSince: readOnly(
      nullable(
        instant({
          description:
            'Since when the picture is public; null if it is not. Set by `publish-picture` only; cleared by `unpublish-picture`, by new content, and by a `visibility` other than ORGANIZATION.',
          example: '2026-03-01T09:00:00.000Z',
        }),
      ),
    ),
  },
  createOnly: {
    content: verbatimText({
      maxBytes: limits.inlineContentBytes,
      description:
        'A short text as the content, instead of an upload; at most 256 KiB of UTF-8. Its type is detected as for an upload.',
      example: '# Travel policy\n\nTrains before planes.',
    }),
  },
  languageField: 'language',
  sections: [
    { title: { en: 'File', de: 'Datei' }, fields: ['name', 'description', 'tags', 'language'] },
    {
      title: { en: 'Access', de: 'Zugriff' },
      fields: ['visibility', 'allowedUserIds', 'allowedRoles', 'ownerUserId'],
    },
    { title: { en: 'Picture', de: 'Bild' }, fields: ['alternativeText', 'focalPoint'] },
    furtherDetails('sourceUrl', 'expiresAt', 'externalId'),
  ],
  sideTables: { knowledge_file_tags: { column: 'tag', values: ['tags'] } },
  ownOperations: ['create', 'putContent', 'getContent', 'getThumbnail', 'getUsage'],
  actions: {
    extractKnowledgeFileText: {
      path: 'extract',
      summary: 'Extract the text of a knowledge file again',
      description:
        'Extracts the text again, for example of a FAILED file after the server was out of memory, or of a READY one after an upgrade. A file that is PROCESSING does not change.',
      right: 'update',
      problems: ['invalid_transition'],
      offered: { status: ['READY', 'FAILED'] },
      texts: {
        label: { en: 'Read content again', de: 'Inhalt erneut lesen' },
        done: { en: 'The content is being read.', de: 'Der Inhalt wird gelesen.' },
      },
    },
    publishKnowledgeFilePicture: {
      path: 'publish-picture',
      summary: 'Make a picture public',
      description:
        'From now on anybody can load the picture without a token, at `picturePath` below the address of the server. The file must be a picture that has been read (`status` NOT_APPLICABLE, with a `width`) and visible to the whole organization. Nothing else makes a picture public; new content takes it back. A picture that is public already does not change. Takes no body.',
      right: 'publish',
      problems: ['invalid_transition'],
    },
    unpublishKnowledgeFilePicture: {
      path: 'unpublish-picture',
      summary: 'Take a public picture back',
      description:
        'From now on the server responds with 404 at `picturePath`, also for smaller copies. Browsers and caches of others may show the picture for up to five minutes, and a browser that has loaded it for up to a day. A picture that is not public does not change. Takes no body.',
      right: 'publish',
      offered: { publicSince: 'present' },
      isDestructive: true,
      texts: {
        label: { en: 'Take back', de: 'Zurücknehmen' },
        title: { en: 'Take “{name}” back?', de: '„{name}“ zurücknehmen?' },
        about: {
          en: 'Pages that show the picture will have a gap. Copies in other places can last: up to five minutes in shared caches, up to a day in browsers that have loaded it.',
          de: 'Seiten, die das Bild zeigen, haben dann eine Lücke. Kopien an anderen Orten können bleiben: bis zu fünf Minuten in gemeinsamen Zwischenspeichern, bis zu einem Tag in Browsern, die es geladen haben.',
        },
        done: { en: 'Taken back.', de: 'Zurückgenommen.' },
      },
    },
  },
  furtherRights:
    'A change that takes a public picture back, moves its focal point or sets when it expires requires a role and, with a token, a scope that may publish.',
  removalRights:
    'Deleting a file whose picture is public requires a role and, with a token, a scope that may publish.',
  titleField: 'name',
  unique: {},
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: fileStatuses,
      description: 'Status of the content.',
      example: 'READY',
    },
    visibility: {
      kind: 'choice',
      field: 'visibility',
      values: fileVisibilities,
      description: 'Who may see it.',
      example: 'ORGANIZATION',
    },
    picture: {
      kind: 'exists',
      field: 'picturePath',
      description: 'Only pictures (JPEG, PNG, WebP, GIF, AVIF, TIFF), or only other files.',
      example: 'true',
    },
    ownerUserId: {
      kind: 'reference',
      field: 'ownerUserId',
      description: 'Files that this member owns.',
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
  import: { identity: [], namesakes: [['name']], withoutContent: true },
});

export type KnowledgeFile = RecordOf<typeof knowledgeFiles>;
