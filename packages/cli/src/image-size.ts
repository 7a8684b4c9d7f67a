/** Width and height, in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** The size in the header of a PNG, GIF, WebP or JPEG file; null for any other file. */
export function imageSizeOf(file: Buffer): ImageSize | null {
  const starts = (bytes: string, at = 0) => file.toString("latin1", at, at + bytes.length) === bytes;
  try {
    if (starts("\x89PNG\r\n\x1a\n")) return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
    if (starts("GIF8")) return { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
    if (starts("RIFF") && starts("WEBP", 8)) return webpSize(file);
    if (starts("\xff\xd8")) return jpegSize(file);
  } catch (error) {
    // The file ends before its size.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

/** WebP (RFC 9649): lossy, lossless or extended, each with its own header. */
function webpSize(file: Buffer): ImageSize | null {
  switch (file.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = file.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** JPEG (ITU T.81): skips segments up to the first frame header, of any coding. */
function jpegSize(file: Buffer): ImageSize | null {
  for (let at = 2; file.readUInt8(at) === 0xff; ) {
    const marker = file.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  return null;
}
