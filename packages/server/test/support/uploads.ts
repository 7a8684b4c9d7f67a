import { call } from "./acme.ts";
import type { Answer, SignedSending } from "./http.ts";
import type { World } from "./world.ts";

export const FILES = "/api/open/v2/bot/files";

/** One part of a form. */
export interface Part {
  /** Header lines without line ends. */
  headers: string[];
  body: Buffer | string;
}

/** A file to upload. */
export interface FormFile {
  content?: Buffer | string;
  fileName?: string;
  mimeType?: string;
}

const BOUNDARY = "----portico-test-7d93b1";
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A 1×1 picture. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The bytes of a multipart body as defined in the contract. */
export function form(...parts: Part[]): Buffer {
  const chunks = parts.flatMap(({ headers, body }) => [
    `--${BOUNDARY}\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n`,
    body,
    "\r\n",
  ]);
  return Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((chunk) => Buffer.from(chunk)));
}

/** The part with the file. */
export function filePart({ content = PIXEL, fileName = "a.png", mimeType = "image/png" }: FormFile = {}): Part {
  return {
    headers: [`Content-Disposition: form-data; name="file"; filename=${fileName}`, `Content-Type: ${mimeType}`],
    body: content,
  };
}

/** Uploads as an application; returns the raw answer. */
export function upload(world: World, appId: string, body: Buffer, other: Partial<SignedSending> = {}): Promise<Answer> {
  return call(world, appId, {
    method: "POST",
    target: FILES,
    body,
    ...other,
    headers: { "content-type": FORM_TYPE, ...other.headers },
  });
}

/** Uploads a file and returns its fileKey. */
export async function uploadKey(world: World, appId: string, file: FormFile = {}): Promise<string> {
  const answer = await upload(world, appId, form(filePart(file)));
  if (answer.status !== 200) throw new Error(`the upload was answered with ${answer.text}`);
  return answer.json.value.fileKey;
}
