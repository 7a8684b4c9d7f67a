import { TransportError } from "@portico/sdk";

/** Throws for a successful answer that lacks a value, where the schema does not require it. */
export function invalidAnswer(what: string): never {
  const message = `the service answered ${what} with a value that is not what the call promises`;
  throw new TransportError(message, { cause: undefined, httpStatus: 200 });
}
