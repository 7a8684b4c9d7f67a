/** Sizes that a message may say of its picture. */
const MAX_PIXELS = 1_000_000;
/** What browsers draw, of what the service takes for a picture. */
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);

/** Whether a file of this type is sent and shown as a picture. */
export function isPictureType(mimeType: string): boolean {
  return TYPES.has(mimeType);
}

/** The size of a picture in pixels; null when the browser cannot read it. */
export async function pictureSize(file: Blob): Promise<{ width: number; height: number } | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width: Math.min(width, MAX_PIXELS), height: Math.min(height, MAX_PIXELS) };
  } catch {
    return null;
  }
}
