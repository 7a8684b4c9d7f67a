/** A message, as far as a log is concerned with it. */
export interface LogMessage {
  readonly messageId: number;
  /** Its place in the conversation; rises, and is the same for good. */
  readonly msgSeq: number;
  readonly msgType: string;
  /** `{text}` of a text, and of a picture or file what {@link fileOf} reads. */
  readonly content: unknown;
}
