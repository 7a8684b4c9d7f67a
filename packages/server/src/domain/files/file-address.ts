import type { Config } from "../../platform/config/config.ts";

/** Path prefix of served files; it is followed by the unguessable blob key. */
export const FILES_PATH = "/files/";

/** The absolute URL of a file. Anybody who knows it can read the file. */
export function fileAddress({ baseUrl }: Config, blobKey: string): string {
  return `${baseUrl}${FILES_PATH}${blobKey}`;
}
