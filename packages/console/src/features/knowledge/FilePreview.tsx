/** The content of a knowledge file, as far as a browser shows it: pictures, texts, and PDF in the viewer of the browser. */
import { Anchor, Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import styles from './Knowledge.module.css';
import { texts } from './texts.ts';

type Kind = 'image' | 'text' | 'pdf' | 'none';

/** Bytes of the largest content of a kind that is shown. */
const previewBytes = { image: 10_000_000, text: 10_000_000, pdf: 50_000_000, none: 0 } as const;
/** Characters of a text that are shown. */
const previewCharacters = 200_000;

const pdf = 'application/pdf';

/** How a content can be shown. SVG is not among the images: it is a document. */
function kindOf(mediaType: string | null): Kind {
  if (mediaType === pdf) return 'pdf';
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(mediaType ?? '')) return 'image';
  if (/^text\/|^application\/(json|xml)/.test(mediaType ?? '')) return 'text';
  return 'none';
}

export function FilePreview({ file }: { readonly file: KnowledgeFile }) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const kind = kindOf(file.mediaType);
  const isSmall = (file.sizeBytes ?? 0) <= previewBytes[kind];
  const content = useQuery({
    queryKey: ['v1', 'knowledge-files', 'content', file.id, file.sha256],
    queryFn: async ({ signal }) => {
      const { body } = await api.use((client) =>
        client.call('getKnowledgeFileContent', { path: { id: file.id }, signal }),
      );
      return await new Response(body).arrayBuffer();
    },
    enabled: kind !== 'none' && isSmall,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (kind === 'none') return <p className={styles.none}>{featureText('noPreview')}</p>;
  if (!isSmall) return <p className={styles.none}>{featureText('tooLarge')}</p>;
  if (content.data === undefined)
    return content.isError ? <FailureNotice error={content.error} /> : <Loading />;
  if (kind === 'text') return <Text bytes={content.data} />;
  if (kind === 'image')
    return (
      <WithAddress bytes={content.data} mediaType={file.mediaType ?? ''}>
        {(address) => (
          <img src={address} alt={file.alternativeText ?? file.name} className={styles.picture} />
        )}
      </WithAddress>
    );
  // Whatever the bytes are, a browser shows a document of this type in its viewer only, and runs no script of it here.
  return (
    <WithAddress bytes={content.data} mediaType={pdf}>
      {(address) => <Pdf address={address} name={file.name} />}
    </WithAddress>
  );
}

function Text({ bytes }: { readonly bytes: ArrayBuffer }) {
  const featureText = useFeatureText(texts);
  return (
    // With the focus, so that the keys scroll it.
    <Box
      component="section"
      tabIndex={0}
      className={styles.preview ?? ''}
      aria-label={featureText('preview')}
    >
      <pre className={styles.text}>{new TextDecoder().decode(bytes).slice(0, previewCharacters)}</pre>
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
        <iframe src={`${address}#navpanes=0&view=FitH`} title={name} className={styles.pdf} />
      ) : (
        <p className={styles.none}>{featureText('noPdfViewer')}</p>
      )}
      <Anchor href={address} target="_blank" size="sm">
        {featureText('openPdf')}
      </Anchor>
    </section>
  );
}

interface AddressProps {
  readonly bytes: ArrayBuffer;
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
