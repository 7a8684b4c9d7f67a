import { payloadOf } from "./built-call.ts";
import { signCall } from "./sign-call.ts";
import { type SnippetCall, targetOf } from "./snippets/snippet-call.ts";

/** How long a call may take: an upload goes at the person's own speed. */
const TIMEOUT_MS = 120_000;
/** The most of an answer that is shown. */
const SHOWN_CHARACTERS = 1_000_000;

/** What came back of a call. */
export interface CallAnswer {
  status: number;
  /** From sending to the last byte, in milliseconds. */
  tookMs: number;
  headers: [name: string, value: string][];
  /** Pretty where it is JSON. */
  text: string;
  envelope: { code: string; message: string; reqNo: string } | undefined;
  signedText: string;
}

/** Signs a call and sends it to the service that the page came from. */
export async function sendCall(call: SnippetCall, appSecret: string, file: File | null): Promise<CallAnswer> {
  const { bytes, contentType } = await payloadOf(call.body, file);
  const nonce = crypto.randomUUID();
  const { headers, signedText } = await signCall({ ...call, bytes, nonce, timestamp: Date.now() }, appSecret);
  if (contentType !== undefined) headers["Content-Type"] = contentType;
  const sentAt = performance.now();
  const response = await fetch(targetOf(call), {
    method: call.method,
    headers: { ...headers, Accept: "application/json" },
    body: call.body === null ? null : bytes,
    credentials: "omit",
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const tookMs = performance.now() - sentAt;
  const parsed = parse(text);
  return {
    status: response.status,
    tookMs,
    headers: [...response.headers],
    text: (parsed === undefined ? text : JSON.stringify(parsed, null, 2)).slice(0, SHOWN_CHARACTERS),
    envelope: envelopeOf(parsed),
    signedText,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function envelopeOf(answer: unknown): CallAnswer["envelope"] {
  if (typeof answer !== "object" || answer === null) return undefined;
  if (!("code" in answer && "message" in answer && "reqNo" in answer)) return undefined;
  const { code, message, reqNo } = answer;
  return { code: String(code), message: String(message), reqNo: String(reqNo) };
}
