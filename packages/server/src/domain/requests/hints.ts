import type { CallRefusal } from "@portico/protocol";
import { businessHints } from "./business-hints.ts";
import { FORM_HINTS, schemaHint } from "./shape-hints.ts";
import { SIGNATURE_MISTAKES, type SignatureMistake } from "./signature-mistakes.ts";

const HOUR_MS = 3_600_000;

/** Suggestions for a refused call, the most likely one first. */
export function hintsFor(refusal: CallRefusal): string[] {
  switch (refusal.check) {
    case "connection":
      return [
        "The request did not arrive whole: the caller ended the connection, or took longer than the service waits for a body. Look at the caller's network and its own timeouts.",
      ];
    case "body-size":
      return [`The body may have at most ${refusal.details.maxBytes} bytes.`];
    case "pace":
      return [paceHint(refusal.details)];
    case "headers":
      return headerHints(refusal.details);
    case "timestamp":
      return timestampHints(refusal.details);
    case "application":
      return ["There is no application of this id: compare X-Open-App-Id with the console, character by character."];
    case "app-state":
      return [`The application is ${refusal.details.status}; signed calls are accepted while it is ACTIVE.`];
    case "credential":
      return credentialHints(refusal.details.problem);
    case "signature":
      return signatureHints(refusal.details);
    case "nonce":
      return [
        "Each call, a retry too, needs a nonce of its own, with a timestamp and a signature made anew.",
        "A call that was refused after its signature had been verified has used its nonce up as well.",
      ];
    case "quota":
      return [QUOTA_HINTS[refusal.details.exceeded]];
    case "scope":
      return [`Ask for the scope ${refusal.details.scope} in the console; it is granted by review.`];
    case "accept":
      return ["The answer is JSON: leave Accept out, or let it admit application/json."];
    case "content-type":
      return [`Send Content-Type: ${refusal.details.expected}.`];
    case "schema":
      return [`${schemaHint(refusal.details)} Then sign and send again, with a nonce of its own.`];
    case "form":
      return [FORM_HINTS[refusal.details.problem]];
    case "card":
      return [`At ${refusal.details.pointer || "the card itself"}: ${refusal.details.suggestion}`];
    case "business":
      return businessHints(refusal.details);
    case "capacity":
      return [
        "The service has no room for this call at the moment; the application's quota has nothing to do with it. Wait as long as Retry-After says, then send again with a nonce, timestamp and signature made anew.",
      ];
    case "rehearsal":
      return [
        "The application's owner rehearses this fault in the console or with `portico rehearse`; it ends by itself, or with `portico rehearse --end`.",
      ];
    case "internal":
      return ["The service failed. Retry with backoff; if it goes on, give the reqNo to the operator."];
  }
}

type Details<Check extends CallRefusal["check"]> = Extract<CallRefusal, { check: Check }>["details"];

function paceHint({ leastBytesPerSecond, windowMs }: Details<"pace">): string {
  return (
    `The body came at less than ${leastBytesPerSecond} bytes a second over ${windowMs} ms: look at the caller's network ` +
    "and at what reads the file, then upload again."
  );
}

const QUOTA_HINTS = {
  minute: "Spread calls over the minute: X-RateLimit-Remaining says how many are left, Retry-After how long to wait.",
  day: "The day's calls are used up; a day ends at midnight UTC. The operator can raise the quota.",
  bytes: "The application has stored as much as it may in an hour; what it has used comes back evenly.",
  concurrent: "Wait for answers before sending more: this many calls were under way at the same time.",
};

function headerHints({ header, problem, maxLength }: Details<"headers">): string[] {
  if (problem === "too-long") return [`${header} may have at most ${maxLength} characters.`];
  return [`Send ${header}, with a value; a proxy in between may have removed it.`];
}

function timestampHints({ received, clockSkewMs, serverTime, windowMs }: Details<"timestamp">): string[] {
  if (clockSkewMs === null) return ["X-Open-Timestamp is milliseconds since the epoch, in digits alone."];
  if (Math.abs(Number(received) * 1_000 - serverTime) <= windowMs) {
    return ["X-Open-Timestamp was sent in seconds; it has to be in milliseconds."];
  }
  const off = `The caller's clock is ${Math.abs(clockSkewMs)} ms ${clockSkewMs > 0 ? "ahead of" : "behind"} the server's`;
  const isZone = Math.abs(clockSkewMs) < 15 * HOUR_MS && Math.abs(clockSkewMs % (HOUR_MS / 2)) <= windowMs;
  return [
    `${off}; ${windowMs} ms are allowed. Set it by NTP.`,
    ...(isZone ? ["It is off by about a whole time zone: the timestamp counts from the epoch in UTC."] : []),
    ...(clockSkewMs < 0 ? ["A call that waits in a queue has to be signed when it is sent, not before."] : []),
  ];
}

function credentialHints(problem: Details<"credential">["problem"]): string[] {
  if (problem === "expired")
    return ["The credential has been rotated and its grace is over: use the one that took its place."];
  return [
    "The application has no credential of this id: compare X-Open-Credential-Id with the console.",
    "Credentials of another application or environment do not count.",
  ];
}

function signatureHints({ contentType, lines, mistakes, received }: Details<"signature">): string[] {
  if (lines.length === 0) return ["A percent sign in the query is not followed by a UTF-8 sequence: encode it as %25."];
  if (mistakes === null) {
    return [
      "Too many signatures were refused in that second for this one to be looked into; make one such call alone.",
    ];
  }
  if (mistakes.length > 0) return mistakes.map((mistake) => SIGNATURE_MISTAKES[mistake as SignatureMistake]);
  const isHexTag = received.length === 64 && received.form !== "neither hex nor Base64";
  return [
    ...(isHexTag ? [] : ["A signature is 64 digits of lower-case hex."]),
    ...(contentType?.toLowerCase().startsWith("multipart/")
      ? [
          "Build the multipart body first, sign its bytes, and send just these: an HTTP client's own boundary breaks it.",
        ]
      : []),
    "Compare your canonical string with the server's, line by line; bodyHash and bodyLength tell what arrived.",
    "If all eight lines agree, the secret is another: it is shown once, when the credential is created.",
  ];
}
