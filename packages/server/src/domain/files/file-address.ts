import type { Config } from "../../platform/config/config.ts";

/** Path under which files are served; the rest of it is the unguessable blob key. */
export const FILES_PATH = "/files/";

/** The absolute address of a file. Whoever knows it may read the file. */
export function fileAddress({ baseUrl }: Config, blobKey: string): string {
  return `${baseUrl}${FILES_PATH}${blobKey}`;
}
