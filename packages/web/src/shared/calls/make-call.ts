import { TransportError } from "@portico/protocol/client";
import { signRequest } from "@portico/sdk/signature";
import type { Payload } from "./payload.ts";

/** How long a call may take: an upload goes at the person's own speed. */
const TIMEOUT_MS = 120_000;
/** The most of an answer that is shown. */
const SHOWN_CHARACTERS = 1_000_000;

/** How a caller proves who they are. */
export type Proof = { appId: string; credentialId: string; appSecret: string } | { accessToken: string } | null;

/** A call to the service that the page came from. */
export interface CallToMake {
  method: string;
  /** As it is sent: percent-encoded. */
  path: string;
  /** As it is sent, without the question mark; empty when there is none. */
  query: string;
  headers?: Readonly<Record<string, string>>;
  payload: Payload | null;
  proof: Proof;
}

/** What came back of a call. */
export interface CallAnswer {
  status: number;
  /** From sending to the last byte, in milliseconds. */
  tookMs: number;
  headers: [name: string, value: string][];
  /** Pretty where it is JSON. */
  text: string;
  envelope: { code: string; message: string; reqNo: string } | undefined;
  /** Null for a call that is not signed. */
  signedText: string | null;
}

/**
 * Makes a call, as a program would: without the cookies of the pages. A secret signs here and is not sent.
 *
 * @throws TransportError when no complete answer arrives.
 */
export async function makeCall(call: CallToMake): Promise<CallAnswer> {
  const { method, path, query, payload } = call;
  const { headers, signedText } = await proved(call);
  const sentAt = performance.now();
  const { response, text } = await answerOf(query === "" ? path : `${path}?${query}`, {
    method,
    headers: { ...headers, ...(payload && { "Content-Type": payload.contentType }), Accept: "application/json" },
    body: payload?.bytes ?? null,
  });
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

async function answerOf(target: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(target, { ...init, credentials: "omit", redirect: "error", signal });
    return { response, text: await response.text() };
  } catch (cause) {
    throw new TransportError(`${target}: no answer came`, { cause, httpStatus: undefined });
  }
}

/** The call's headers, with those that prove who calls. */
async function proved({ proof, headers = {}, payload, query, method, path }: CallToMake) {
  if (proof === null) return { headers, signedText: null };
  if ("accessToken" in proof) {
    return { headers: { ...headers, Authorization: `Bearer ${proof.accessToken}` }, signedText: null };
  }
  const signed = await signRequest({ ...proof, method, path, rawQuery: query, body: payload?.bytes });
  return { headers: { ...headers, ...signed.headers }, signedText: signed.canonicalString };
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
