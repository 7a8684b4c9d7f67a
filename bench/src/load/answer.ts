const HEAD_END = Buffer.from("\r\n\r\n");
const OK = Buffer.from("HTTP/1.1 200 ");
const SUCCESS = Buffer.from('"code":"000000"');

/** The length of the answer at the start of `bytes`, head included; null while the answer is incomplete. */
export function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const announced = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, headEnd))?.[1];
  if (announced === undefined)
    throw new Error(`an answer without Content-Length: ${bytes.toString("latin1", 0, headEnd)}`);
  const length = headEnd + HEAD_END.length + Number(announced);
  return length <= bytes.length ? length : null;
}

/** Whether the status of `answer` is 200; the console's answers have no code. */
export function isOk(answer: Buffer): boolean {
  return answer.subarray(0, OK.length).equals(OK);
}

/** Whether `answer` says that the call succeeded. */
export function isSuccess(answer: Buffer): boolean {
  return answer.includes(SUCCESS);
}
