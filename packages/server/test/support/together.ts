import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/** What follows the frames: a close frame with this code; nothing, and the TCP connection is ended or destroyed; or nothing. */
type Ending = number | "ended" | "destroyed" | "left open";

/** Sends frames in one chunk, as a client that has several to send may do, and the end of the connection with them. */
export function sendTogether(socket: WebSocket, frames: readonly (object | Buffer)[], ending: Ending): void {
  const { _socket: raw } = socket as unknown as { _socket: Socket };
  const chunk = frames.map((frame) =>
    Buffer.isBuffer(frame) ? masked(0x2, frame) : masked(0x1, Buffer.from(JSON.stringify(frame))),
  );
  if (typeof ending === "number") {
    const code = Buffer.alloc(2);
    code.writeUInt16BE(ending);
    chunk.push(masked(0x8, code));
  }
  raw.write(Buffer.concat(chunk), () => {
    if (ending === "destroyed") raw.destroy();
  });
  if (ending === "ended") raw.end();
}

/** Has a client that has answered a close frame wait for the end of the TCP connection (RFC 6455, section 7.1.1). */
export function leaveTheEndToTheService(socket: WebSocket): void {
  const { _socket: raw } = socket as unknown as { _socket: Socket };
  const end = raw.end.bind(raw);
  raw.end = () => raw;
  raw.once("end", () => end());
}

/** A client's frame (RFC 6455, section 5.2). */
function masked(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const isLong = payload.length > 125;
  const head = Buffer.alloc(isLong ? 4 : 2);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (isLong ? 126 : payload.length);
  if (isLong) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
