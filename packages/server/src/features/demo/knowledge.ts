/** The knowledge files of the demo: three formats with three visibilities, searchable soon after the start. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KnowledgeFile } from '@trellis/schema/resources/knowledge-files.ts';
import type { DemoApi, Given } from './api.ts';

const files: readonly { fileName: string; file: Given<KnowledgeFile> }[] = [
  {
    fileName: 'house-style.md',
    file: {
      externalId: 'demo-file-house-style',
      name: 'House style',
      description: 'How we write on our site.',
      tags: ['writing'],
      language: 'en',
      visibility: 'ORGANIZATION',
    },
  },
  {
    fileName: 'advertising-rates.csv',
    file: {
      externalId: 'demo-file-advertising-rates',
      name: 'Advertising rates',
      description: 'What an advertisement costs, and when it has to be there.',
      tags: ['sales'],
      language: 'en',
      visibility: 'RESTRICTED',
      allowedRoles: ['ADMIN', 'EDITOR'],
    },
  },
  {
    fileName: 'printing-agreement.pdf',
    file: {
      externalId: 'demo-file-printing-agreement',
      name: 'Printing agreement',
      description: 'With Musterdruck GmbH.',
      tags: ['contract'],
      language: 'en',
      visibility: 'PRIVATE',
    },
  },
];

/** Creates the files and uploads their contents. */
export async function seedKnowledge(api: DemoApi): Promise<void> {
  for (const { fileName, file } of files) {
    const id = await api.create('/knowledge-files', file);
    const path = fileURLToPath(new URL(`./content/files/${fileName}`, import.meta.url));
    await api.upload(`/knowledge-files/${id}/content`, fileName, new Uint8Array(readFileSync(path)));
  }
}
