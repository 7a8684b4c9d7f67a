import { extname } from "node:path";

/** The type of files with an unknown extension. */
const UNKNOWN = "application/octet-stream";

const OFFICE = "application/vnd.openxmlformats-officedocument";

const TYPE_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".svg", "image/svg+xml"],
  [".pdf", "application/pdf"],
  [".txt", "text/plain"],
  [".json", "application/json"],
  [".csv", "text/csv"],
  [".zip", "application/zip"],
  [".mp4", "video/mp4"],
  [".mp3", "audio/mpeg"],
  [".docx", `${OFFICE}.wordprocessingml.document`],
  [".xlsx", `${OFFICE}.spreadsheetml.sheet`],
  [".pptx", `${OFFICE}.presentationml.presentation`],
]);

/** The MIME type of a file name's extension; `application/octet-stream` when it is unknown. */
export function mimeTypeOf(fileName: string): string {
  return TYPE_BY_EXTENSION.get(extname(fileName).toLowerCase()) ?? UNKNOWN;
}
