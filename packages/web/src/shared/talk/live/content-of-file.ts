import { createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberExchange } from "../../session/member.ts";
import { pictureSize } from "../../text/pictures.ts";
import type { OnUpload, Outgoing } from "./outbox.ts";
import { uploadFetch } from "./upload-fetch.ts";

/** Of a picture that the browser cannot read. */
const UNKNOWN = { width: 0, height: 0 };

/**
 * What a message says of an attached file, which is uploaded first unless an earlier try has done that.
 *
 * @throws what the upload does.
 */
export async function contentOfFile(
  { file, isPicture }: { file: File; isPicture: boolean },
  { fileKey: uploaded }: Outgoing,
  onUpload: OnUpload,
  signal: AbortSignal,
) {
  const fileKey = uploaded ?? (await upload(file, onUpload, signal));
  if (!isPicture) return { msgType: "file", content: { fileKey } } as const;
  return { msgType: "image", content: { fileKey, ...((await pictureSize(file)) ?? UNKNOWN) } } as const;
}

async function upload(file: File, onUpload: OnUpload, signal: AbortSignal): Promise<string> {
  const client = createApiClient(
    CLIENT_ENDPOINTS,
    memberExchange({ fetch: uploadFetch((progress) => onUpload({ progress })) }),
  );
  const { fileKey } = await client.uploadFile({ file, fileName: file.name }, { signal });
  onUpload({ fileKey });
  return fileKey;
}
