/** A request body, as it is signed and sent. */
export interface RequestBody {
  /** The `Content-Type` header. */
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}
