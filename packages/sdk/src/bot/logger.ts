/** Where a bot writes what happens to it; `console` is one. Secrets and contents of messages are not written. */
export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

/** Warnings and errors on standard error, nothing else. */
export const quietConsole: Logger = {
  debug() {},
  info() {},
  warn: (message, ...details) => console.warn(message, ...details),
  error: (message, ...details) => console.error(message, ...details),
};
