import { inflateSync } from "node:zlib";

const PREFIX = "data:image/png;base64,";
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Samples per pixel, by colour type (PNG, section 11.2.2): grey, RGB, grey with alpha, RGB with alpha. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** A QR code has at most 177 modules per side, so a larger picture is not needed. */
const MAX_SIDE = 4_096;
/** The side length of the pattern in three of the corners; its upper edge is completely dark. */
const FINDER_MODULES = 7;

/**
 * Converts a QR code to text lines, two rows of modules per line, independent of the terminal's colours.
 *
 * @param dataUrl of a PNG with 8 bits per sample.
 * @returns null when it is not a picture of a QR code.
 */
export function qrLines(dataUrl: string): string[] | null {
  try {
    const picture = readPicture(Buffer.from(dataUrl.slice(PREFIX.length), "base64"));
    return dataUrl.startsWith(PREFIX) && picture !== null ? halfBlocks(modulesOf(picture)) : null;
  } catch {
    return null;
  }
}

/** Rows of pixels; true means dark. */
type Picture = boolean[][];

function readPicture(png: Buffer): Picture | null {
  if (!png.subarray(0, 8).equals(SIGNATURE)) return null;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const samples = SAMPLES[png[25] ?? -1];
  const isPlain = png[24] === 8 && png[28] === 0;
  if (samples === undefined || !isPlain || width > MAX_SIDE || height > MAX_SIDE) return null;
  const stride = width * samples;
  const bytes = inflateSync(dataOf(png), { maxOutputLength: (stride + 1) * height });
  const rows: Picture = [];
  let above = new Uint8Array(stride);
  for (let at = 0; at < bytes.length; at += stride + 1) {
    above = unfiltered(bytes[at] ?? 0, bytes.subarray(at + 1, at + 1 + stride), above, samples);
    const row = above;
    rows.push(Array.from({ length: width }, (_, x) => (row[x * samples] ?? 0) < 128));
  }
  return rows;
}

/** The compressed pixels: all IDAT chunks. */
function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** Removes the filter of a row (PNG, section 9). */
function unfiltered(filter: number, row: Uint8Array, above: Uint8Array, samples: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(row.length);
  for (const [index, byte] of row.entries()) {
    const left = out[index - samples] ?? 0;
    const up = above[index] ?? 0;
    const corner = above[index - samples] ?? 0;
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    out[index] = byte + predicted;
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** One pixel per module, including the margin. */
function modulesOf(picture: Picture): Picture {
  const top = picture.find((row) => row.includes(true)) ?? [];
  const start = top.indexOf(true);
  const size = (top.indexOf(false, start) - start) / FINDER_MODULES;
  if (!(size >= 1)) throw new RangeError("no finder pattern");
  const middles = Array.from({ length: Math.floor(picture.length / size) }, (_, index) =>
    Math.floor((index + 0.5) * size),
  );
  return middles.map((y) => middles.map((x) => picture[y]?.[x] === true));
}

/** Draws the light modules and sets the colours, so that the code is also correct on a light terminal. */
function halfBlocks(modules: Picture): string[] {
  const lines: string[] = [];
  for (let y = 0; y < modules.length; y += 2) {
    const line = (modules[y] ?? []).map((dark, x) => block(!dark, modules[y + 1]?.[x] === false));
    lines.push(`\u001b[97;40m${line.join("")}\u001b[0m`);
  }
  return lines;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
