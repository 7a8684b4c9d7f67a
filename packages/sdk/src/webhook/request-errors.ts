/** The receiver is set up incorrectly; the answer contains the message for its developer. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** The sender disconnected before the request was complete, so there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
  /** For servers that turn errors into answers: this is not a server error. */
  readonly statusCode = 400;
}
