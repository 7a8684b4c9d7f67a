import type { SocketServerFrame } from "@portico/protocol/socket";

/** Parses a frame of the service; null for one of a type that this version does not know, or without its members. */
export function readServerFrame(text: string): SocketServerFrame | null {
  const frame = parse(text);
  if (typeof frame !== "object" || frame === null || !("type" in frame)) return null;
  return isFrame(frame) ? frame : null;
}

function isFrame(frame: object): frame is SocketServerFrame {
  const members: Readonly<Record<string, unknown>> = { ...frame };
  const areTexts = (...names: string[]) => names.every((name) => typeof members[name] === "string");
  const areNumbers = (...names: string[]) => names.every((name) => Number.isFinite(members[name]));
  switch (members.type) {
    case "hello":
      return areTexts("connectionId", "appId") && areNumbers("heartbeatMs") && Array.isArray(members.eventTypes);
    case "event":
      return areTexts("deliveryId", "eventId", "eventType", "body");
    case "goodbye":
      return areTexts("reason");
    case "error":
      return areTexts("message");
    default:
      return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
