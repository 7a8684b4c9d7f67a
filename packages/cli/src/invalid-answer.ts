import { TransportError } from "@portico/sdk";

/** For a success that has not the value that it promises, where that is more than its schema says. */
export function unpromised(what: string): never {
  const message = `the service answered ${what} with a value that is not what the call promises`;
  throw new TransportError(message, { cause: undefined, httpStatus: 200 });
}
