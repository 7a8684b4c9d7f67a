/** What is sent: a text, or a file. */
export type Draft = { kind: "text"; text: string } | { kind: "file"; file: File; name: string; size: number };

/** A message on its way. */
export type Outgoing = (
  | { kind: "text"; text: string }
  /** `file` is null when it was attached on an earlier page. */
  | { kind: "file"; file: File | null; name: string; size: number }
) & {
  /** Makes its repetition harmless. */
  clientMessageId: string;
  writtenAt: number;
  /**
   * `queued` has not been tried; `waiting` found no service, and is tried again by itself; `failed` only when the visitor
   * says so; `gone` has lost its file; `sent` until it comes back.
   */
  state: "queued" | "sending" | "waiting" | "failed" | "gone" | "sent";
  /** Whether it is there on the next page. */
  isKept: boolean;
};

/** The draft of a file. */
export function fileDraft(file: File): Draft {
  return { kind: "file", file, name: file.name, size: file.size };
}

/** Whether the message was on its way when it was interrupted: it may have arrived, or not, and is sent again. */
export function isOnItsWay({ state }: Outgoing): boolean {
  return state !== "failed" && state !== "gone";
}

/** The text under which a message is kept, without its file. */
export function writtenOf(item: Outgoing): string {
  const { clientMessageId, writtenAt, state } = item;
  const content =
    item.kind === "text" ? { kind: item.kind, text: item.text } : { kind: item.kind, name: item.name, size: item.size };
  return JSON.stringify({ ...content, clientMessageId, writtenAt, state });
}

/** The message of such a text; null when the text is none. */
export function readOutgoing(text: string | null): Outgoing | null {
  let fields: unknown;
  try {
    fields = JSON.parse(text ?? "null");
  } catch {
    return null;
  }
  if (typeof fields !== "object" || fields === null) return null;
  const { clientMessageId, writtenAt, state, ...content } = fields as Record<string, unknown>;
  if (typeof clientMessageId !== "string" || typeof writtenAt !== "number") return null;
  const isOver = state === "failed" || state === "gone";
  const way = { clientMessageId, writtenAt, state: isOver ? state : "queued", isKept: true } as const;
  if (content.kind === "text" && typeof content.text === "string") return { kind: "text", text: content.text, ...way };
  const { kind, name, size } = content;
  if (kind !== "file" || typeof name !== "string" || typeof size !== "number") return null;
  return { kind, file: null, name, size, ...way };
}
