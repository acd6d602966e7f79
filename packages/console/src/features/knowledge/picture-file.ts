/** Tells pictures from other files before anything is asked about them. */
import { beginsAsPicture, isPicture, signatureBytes } from '@trellis/schema/values/pictures.ts';

/** Whether a file is a picture by its name, which gives it its type, and by its first bytes. One that cannot be read fails when it is uploaded. */
export async function isPictureFile(file: File): Promise<boolean> {
  if (!isPicture(file.type)) return false;
  const start = await file
    .slice(0, signatureBytes)
    .arrayBuffer()
    .catch(() => null);
  return start === null || beginsAsPicture(new Uint8Array(start));
}
