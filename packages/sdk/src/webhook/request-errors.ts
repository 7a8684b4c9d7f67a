/** The receiver is put together wrongly: a failure whose message its developer should see in the answer. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** The sender went away before its request was whole; nobody is left to answer. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
  /** For servers that answer what is thrown: it is not their fault. */
  readonly statusCode = 400;
}
