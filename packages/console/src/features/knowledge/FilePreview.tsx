/** The content of a knowledge file, as far as a browser shows it: pictures, texts, and PDF in the viewer of the browser. */
import { Anchor, Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { isPicture, isWebPicture } from '@trellis/schema/values/pictures.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import details from '../../ui/details.module.css';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './Knowledge.module.css';
import { texts } from './texts.ts';

type Kind = 'image' | 'copy' | 'text' | 'pdf' | 'none';

/** Bytes of the largest content of a kind that is shown. A copy is small, whatever the picture is. */
const previewBytes = {
  image: 10_000_000,
  copy: Number.POSITIVE_INFINITY,
  text: 10_000_000,
  pdf: 50_000_000,
  none: 0,
} as const;
/** Characters of a text that are shown. */
const previewCharacters = 200_000;

const pdf = 'application/pdf';

/** How a content can be shown. SVG is not among the images: it is a document. Of a picture that browsers do not show, a small copy is. */
function kindOf({ mediaType, picturePath, width }: KnowledgeFile): Kind {
  if (mediaType === pdf) return 'pdf';
  if (isWebPicture(mediaType)) return 'image';
  if (isPicture(mediaType)) return picturePath === null || width === null ? 'none' : 'copy';
  if (/^text\/|^application\/(json|xml)/.test(mediaType ?? '')) return 'text';
  return 'none';
}

export function FilePreview({ file }: { readonly file: KnowledgeFile }) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const kind = kindOf(file);
  const isSmall = (file.sizeBytes ?? 0) <= previewBytes[kind];
  const content = useQuery({
    queryKey: ['v1', 'knowledge-files', 'content', file.id, file.sha256, kind],
    queryFn: async ({ signal }) => {
      const operation = kind === 'copy' ? 'getKnowledgeFileThumbnail' : 'getKnowledgeFileContent';
      const { body } = await api.use((client) => client.call(operation, { path: { id: file.id }, signal }));
      const bytes = await new Response(body).arrayBuffer();
      return { bytes, text: kind === 'text' ? await decode(bytes) : '' };
    },
    enabled: kind !== 'none' && isSmall,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (kind === 'none') return <p className={shared.none}>{featureText('noPreview')}</p>;
  if (!isSmall) return <p className={shared.none}>{featureText('tooLarge')}</p>;
  if (content.data === undefined)
    return content.isError ? <FailureNotice error={content.error} /> : <Loading />;
  const { bytes, text } = content.data;
  if (kind === 'text') return <Text text={text} />;
  if (kind === 'image' || kind === 'copy')
    return (
      <WithAddress bytes={bytes} mediaType={kind === 'copy' ? 'image/webp' : (file.mediaType ?? '')}>
        {(address) => (
          <Box
            component="img"
            src={address}
            alt={file.alternativeText ?? file.name}
            className={shared.frame}
            maw="100%"
            mah="70vh"
          />
        )}
      </WithAddress>
    );
  // Whatever the bytes are, a browser shows a document of this type in its viewer only, and runs no script of it here.
  return (
    <WithAddress bytes={bytes} mediaType={pdf}>
      {(address) => <Pdf address={address} name={file.name} />}
    </WithAddress>
  );
}

/** The beginning of a text in the encoding that it seems to have. */
async function decode(bytes: ArrayBuffer): Promise<string> {
  const { detectEncoding } = await import('@trellis/schema/values/text-encoding.ts');
  const encoding = detectEncoding(new Uint8Array(bytes)) ?? 'utf-8';
  return new TextDecoder(encoding).decode(bytes).slice(0, previewCharacters);
}

function Text({ text }: { readonly text: string }) {
  const featureText = useFeatureText(texts);
  return (
    // With the focus, so that the keys scroll it.
    <Box
      component="section"
      tabIndex={0}
      className={`${shared.frame} ${shared.scroll}`}
      aria-label={featureText('preview')}
    >
      <pre className={`${details.text} ${styles.text}`}>{text}</pre>
    </Box>
  );
}

interface PdfProps {
  readonly address: string;
  readonly name: string;
}

/** Chromium has no viewer in sandboxed frames, so it is none. A browser without a viewer would save the file instead. */
function Pdf({ address, name }: PdfProps) {
  const featureText = useFeatureText(texts);
  return (
    <section aria-label={featureText('preview')}>
      {navigator.pdfViewerEnabled ? (
        <iframe
          src={`${address}#navpanes=0&view=FitH`}
          title={name}
          className={`${shared.frame} ${styles.pdf}`}
        />
      ) : (
        <p className={shared.none}>{featureText('noPdfViewer')}</p>
      )}
      <Anchor href={address} target="_blank" size="sm">
        {featureText('openPdf')}
      </Anchor>
    </section>
  );
}

interface AddressProps {
  readonly bytes: ArrayBuffer | Blob;
  readonly mediaType: string;
  readonly children: (address: string) => ReactNode;
}

/** Gives bytes an address for as long as they are shown: reading them takes the session, so the one of the API cannot be used. */
export function WithAddress({ bytes, mediaType, children }: AddressProps) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mediaType]);
  return address === null ? null : children(address);
}
