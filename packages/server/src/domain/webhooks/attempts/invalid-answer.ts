/** A receiver has answered with something that is not HTTP/1.1. The message says what, without anything of its bytes. */
export class InvalidAnswer extends Error {
  override readonly name = "InvalidAnswer";
}
