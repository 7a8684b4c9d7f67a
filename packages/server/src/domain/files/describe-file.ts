import { isUtf8 } from "node:buffer";
import { parseParameters, TOKEN } from "./header-parameters.ts";
import { malformedHead, type PartHead, refusal } from "./multipart-parser.ts";

const MAX_FILE_NAME_BYTES = 255;
const MAX_EXTENSION_BYTES = 32;
const MAX_MIME_TYPE_LENGTH = 127;

/** What the headers of a part say about its file. */
export interface FileDescription {
  /** Without directories and misleading characters, at most 255 bytes in UTF-8. */
  fileName: string;
  /** `type/subtype` in lower case. */
  mimeType: string;
}

const PLAIN_ENCODINGS = new Set(["7bit", "8bit", "binary"]);

/**
 * Parses the headers of the file part; null for any other part, including a form field named `file`.
 *
 * @throws ApiError when the headers are malformed or the content is transfer-encoded.
 */
export function describeFile(head: PartHead): FileDescription | null {
  const parsed = parseParameters(head.get("content-disposition") ?? "");
  if (parsed === null) throw malformedHead();
  const { value, parameters } = parsed;
  if (value !== "form-data" || parameters.get("name") !== "file") return null;
  const fileName = decodeExtended(parameters.get("filename*")) ?? parameters.get("filename");
  if (fileName === undefined && !parameters.has("filename*")) return null;
  const encoding = head.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  if (!PLAIN_ENCODINGS.has(encoding)) throw refusal("encoding", "UPLOAD_ENCODING_UNSUPPORTED");
  return { fileName: cleanFileName(fileName ?? ""), mimeType: cleanMimeType(head.get("content-type")) };
}

/** Decodes `charset'language'text` (RFC 5987); null when it is not that. */
function decodeExtended(text: string | undefined): string | null {
  const [, charset, encoded] = /^(utf-8|iso-8859-1)'[^']*'((?:%[0-9a-f]{2}|[!-$&-~])*)$/i.exec(text ?? "") ?? [];
  if (charset === undefined || encoded === undefined) return null;
  const latin1 = encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (charset.toLowerCase() === "iso-8859-1") return latin1;
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString() : null;
}

/** Control characters, lone surrogates, and characters that control the text direction. */
const MISLEADING = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

function cleanFileName(given: string): string {
  const path = given.replace(MISLEADING, "");
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).trim();
  return name === "" || name === "." || name === ".." ? "file" : shortenFileName(name);
}

/** Shortens the stem of a name, between characters, so that the whole name is not too long. */
function shortenFileName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot) : "";
  const extension = Buffer.byteLength(ending) <= MAX_EXTENSION_BYTES ? ending : "";
  const room = new Uint8Array(MAX_FILE_NAME_BYTES - Buffer.byteLength(extension));
  const { read } = new TextEncoder().encodeInto(name.slice(0, name.length - extension.length), room);
  return name.slice(0, read).trimEnd() + extension;
}

const MIME_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`);

function cleanMimeType(contentType: string | undefined): string {
  const [declared = ""] = (contentType ?? "").split(";", 1);
  const mimeType = declared.trim();
  const isOne = MIME_TYPE.test(mimeType) && mimeType.length <= MAX_MIME_TYPE_LENGTH;
  return isOne ? mimeType.toLowerCase() : "application/octet-stream";
}
