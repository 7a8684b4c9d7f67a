/** Who connects, and where. */
export interface SocketAddress {
  /** Origin of the open API, http or https. */
  origin: string;
  appId: string;
  credentialId: string;
  appSecret: string;
  /** Event types that the connection takes for as long as it lasts; only in a test environment. */
  take?: readonly string[] | undefined;
  /** Of the handshake, in milliseconds. */
  timeoutMs: number;
  clock: () => number;
}
