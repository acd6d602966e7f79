/** What a picture says besides what it shows, as said before it is made public: readers do not get it. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import type { PictureStatement } from '@trellis/schema/values/picture-metadata/metadata.ts';
import { isPicture } from '@trellis/schema/values/pictures.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';

/** Of a stored picture. */
export function PictureStatements({ file }: { readonly file: KnowledgeFile }) {
  const { api } = useWorkspace();
  const { id, sha256, mediaType } = file;
  const read = async (signal: AbortSignal) => {
    const { body } = await api.use((client) =>
      client.call('getKnowledgeFileContent', { path: { id }, signal }),
    );
    return new Response(body).arrayBuffer();
  };
  return <StatementsOf name={`${id} ${sha256}`} mediaType={mediaType} read={read} />;
}

interface Props {
  /** What the content is known by. */
  readonly name: string;
  readonly mediaType: string | null;
  readonly read: (signal: AbortSignal) => Promise<ArrayBuffer>;
}

/** Of a content. */
export function StatementsOf({ name, mediaType, read }: Props) {
  const featureText = useFeatureText(texts);
  const statements = useQuery({
    queryKey: ['v1', 'knowledge-files', 'statements', name],
    queryFn: async ({ signal }) => {
      const bytes = new Uint8Array(await read(signal));
      const { findStatements } = await import('@trellis/schema/values/picture-metadata/metadata.ts');
      return isPicture(mediaType) ? findStatements(bytes, mediaType) : [];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (statements.isError) return <FailureNotice error={statements.error} />;
  return (
    <Text size="md" role="status">
      {featureText(statements.data === undefined ? 'readingStatements' : nameOf(statements.data))}
    </Text>
  );
}

function nameOf(statements: readonly PictureStatement[]) {
  const has = (statement: PictureStatement) => statements.includes(statement);
  if (has('place')) return has('camera') ? 'saysPlaceAndCamera' : 'saysPlace';
  if (has('camera')) return 'saysCamera';
  return has('other') ? 'saysOther' : 'saysNothing';
}
