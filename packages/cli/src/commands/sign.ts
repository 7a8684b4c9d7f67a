import { randomUUID } from "node:crypto";
import { BOUNDS, canonicalQuery, MalformedQueryError, originForm } from "@portico/protocol";
import { type SignedRequest, signRequest } from "@portico/protocol/signature";
import { type Command, UsageError } from "../command.ts";
import { readInput } from "../input.ts";
import { credentials, withCredentials } from "../settings.ts";
import { columns, print, printJson } from "../terminal.ts";

/** The lines of the canonical string, in order (docs/contract/signing.md#the-text-that-is-signed). */
const LINE_LABELS = ["method", "path", "query", "app id", "credential id", "timestamp", "nonce", "body hash"] as const;

/** `portico sign`: prints the headers of a signed request, and explains how they are computed. Sends nothing. */
export const sign: Command = {
  name: "sign",
  summary: "Sign a request without sending it, and explain the signature",
  usage: "portico sign METHOD PATH[?QUERY] [--body TEXT | --body-file FILE] [OPTIONS]",
  notes: `Without --explain, the five headers are printed, one a line. PATH is signed exactly as given, of a URL without scheme and host.`,
  examples: [
    "portico sign GET /api/open/v2/bot/apps",
    "portico sign --explain POST /api/open/v2/bot/messages --body '{}'",
  ],
  tooMany: "; put quotes around the path",
  configure: (command) =>
    withCredentials(
      command
        .argument("<METHOD>")
        .argument("<PATH>")
        .option("--body <TEXT>", "the body, signed as these UTF-8 bytes (default: no body)")
        .option("--body-file <FILE>", "the body, signed as the bytes of the file, a last line feed included")
        .option("--timestamp <MS>", "milliseconds since the epoch (default: now)", timestampOf)
        .option("--nonce <NONCE>", "what makes the signature unique (default: a new one)", nonceOf)
        .option("--explain", "show each step that leads to the signature")
        .option("--json", "print {headers}, with --explain the steps, too"),
    ).action(async (method, path, values) => {
      const target = targetOf(method, path);
      const { timestamp = Date.now(), nonce = randomUUID() } = values;
      const body = await bodyOf(values.body, values.bodyFile);
      const signed = signTarget({ ...target, ...(await credentials(values)), timestamp, nonce, body });
      const steps = { canonicalQuery: canonicalQuery(target.rawQuery), ...signed };
      if (values.json) return printJson(values.explain ? steps : { headers: signed.headers });
      const headers = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`);
      if (!values.explain) return print(...headers);
      print(...explanation(signed, steps.canonicalQuery, body.length));
      print("", "Headers to send, besides Content-Type", ...headers.map((header) => `  ${header}`));
    }),
};

interface Target {
  method: string;
  path: string;
  rawQuery: string;
}

function targetOf(method: string, asked: string): Target {
  if (!/^[A-Za-z]+$/.test(method)) throw new UsageError("METHOD must be a word such as GET or POST");
  const target = originForm(asked);
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const rawQuery = mark === -1 ? "" : target.slice(mark + 1);
  // No other characters can appear in a request line, so no service could receive the request as signed.
  if (!/^\/[!-~]*$/.test(path) || /[\s\p{Cc}]/u.test(rawQuery) || target.includes("#")) {
    throw new UsageError(
      "PATH must begin with / and be percent-encoded as it will be sent, without fragment; of a URL its path is signed",
    );
  }
  return { method, path, rawQuery };
}

function timestampOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError("--timestamp must be milliseconds since the epoch");
  return Number(text);
}

function nonceOf(text: string): string {
  if (/^[!-~]+$/.test(text) && text.length <= BOUNDS.nonceLength) return text;
  throw new UsageError(`--nonce must be 1 to ${BOUNDS.nonceLength} characters, none of them a space`);
}

async function bodyOf(text: string | undefined, file: string | undefined): Promise<Buffer> {
  if (text !== undefined && file !== undefined) throw new UsageError("--body and --body-file exclude each other");
  return file === undefined ? Buffer.from(text ?? "", "utf8") : readInput(file);
}

function signTarget(request: Parameters<typeof signRequest>[0]): SignedRequest {
  try {
    return signRequest(request);
  } catch (error) {
    if (error instanceof MalformedQueryError) throw new UsageError(error.message);
    throw error;
  }
}

function explanation(signed: SignedRequest, query: string, bodyBytes: number): string[] {
  const lines = signed.canonicalString.split("\n");
  const rows = LINE_LABELS.map((label, index) => [`  ${index + 1} ${label}`, lines[index] ?? ""] as const);
  return [
    "Canonical query: decoded, sorted by name and value, encoded again",
    query === "" ? "  (empty)" : `  ${query}`,
    "",
    `Body hash: SHA-256 of the ${bodyBytes} bytes of the body`,
    `  ${signed.bodyHash}`,
    "",
    "Canonical string: these eight values, joined by line feeds, none at the end",
    ...columns(rows),
    "",
    "Signature: HMAC-SHA256 of the canonical string under the app secret, in lower-case hex",
    `  ${signed.signature}`,
  ];
}
