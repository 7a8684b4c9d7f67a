import { isIP } from "node:net";
import { type ConsoleErrorCode, fault, type Stated, wordsOf } from "@portico/protocol";
import { type AddressRefused, MAX_URL_LENGTH } from "../../../platform/network/address-guard.ts";

/** The error that the console shows to whoever enters a callback address that is refused. */
export function statedOf({ code, host, timeoutMs }: AddressRefused): Stated<ConsoleErrorCode> {
  switch (code) {
    case "too-long":
      return fault("CALLBACK_TOO_LONG", { max: MAX_URL_LENGTH });
    case "malformed":
      return "CALLBACK_MALFORMED";
    case "not-https":
      return "CALLBACK_NOT_HTTPS";
    case "credentials-in-url":
      return "CALLBACK_HAS_CREDENTIALS";
    case "private-address":
      return fault(isIP(host) === 0 ? "CALLBACK_NAME_NOT_PUBLIC" : "CALLBACK_ADDRESS_NOT_PUBLIC", { host });
    case "unresolvable":
      return fault("CALLBACK_UNRESOLVABLE", { host });
    case "lookup-timeout":
      return fault("CALLBACK_LOOKUP_TIMED_OUT", { host, timeoutMs });
    case "lookups-busy":
      return fault("CALLBACK_LOOKUPS_BUSY", { host });
  }
}

/** Why a delivery did not go out, for the receiver's developer. The console's words, unless they say to try again. */
export function wordsOfRefusal(refused: AddressRefused): string {
  const { code, host, timeoutMs } = refused;
  if (code === "lookup-timeout") return `域名${host}的解析超过${timeoutMs}毫秒仍未完成`;
  if (code === "lookups-busy") return `等待解析的域名过多,${host}的解析未能开始`;
  return wordsOf(statedOf(refused)).message;
}
