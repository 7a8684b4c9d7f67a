/** An error of the console API, with its own status and no six-digit code. */
export interface ConsoleMessage {
  status: 400 | 401 | 403 | 404 | 409 | 429 | 503;
  /** The message; a name in braces stands for a value. */
  message: string;
  /** The message in English, with the same names or fewer. */
  english: string;
}
