import type { LookupFunction } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import { type AddressGuard, AddressRefused } from "./address-guard.ts";
import { AttemptFailure, aborted, failureOfAddress, failureToConnect } from "./attempt-failure.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Address } from "./lookups.ts";

/** Where a receiver listens. */
export interface Endpoint {
  /** A host name, or an IP address without brackets. */
  host: string;
  port: number;
}

/** What is known of a dial so far; durations in milliseconds, null while unknown. */
export interface DialRecord {
  /** The address dialled last. */
  address: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export interface DialOptions {
  guard: AddressGuard;
  secureContext: SecureContext;
  /** For look-up, TCP and TLS together, all addresses included. */
  timeoutMs: number;
}

/** A receiver with more addresses than this is tried at the first ones only; all of them are checked. */
const MAX_ADDRESSES_TRIED = 4;

/**
 * Opens a TLS connection to `endpoint`: resolves the host, has every address checked, and connects to these very
 * addresses, in turn while TCP fails. The certificate is verified against the host name. Fills `record` as it goes.
 *
 * @throws AttemptFailure
 */
export async function dial(
  endpoint: Endpoint,
  { guard, secureContext, timeoutMs }: DialOptions,
  record: DialRecord,
  cancellation: Cancellation,
): Promise<TLSSocket> {
  const startedAt = performance.now();
  const leftMs = () => timeoutMs - (performance.now() - startedAt);
  const addresses = await checkedAddresses(guard, endpoint.host, timeoutMs, cancellation);
  record.dnsMs = performance.now() - startedAt;
  const tried = addresses.slice(0, MAX_ADDRESSES_TRIED);
  for (const [index, address] of tried.entries()) {
    const others = tried.length - index - 1;
    record.address = address.address;
    const limits = { tcpMs: leftMs() / (others + 1), totalMs: leftMs(), timeoutMs };
    try {
      return await open(endpoint, address, secureContext, limits, record, cancellation);
    } catch (error) {
      if (others === 0 || record.connectMs !== null || cancellation.cancelled || leftMs() <= 0) throw error;
    }
  }
  throw new Error("a host without addresses");
}

/** @throws AttemptFailure */
async function checkedAddresses(
  guard: AddressGuard,
  host: string,
  timeoutMs: number,
  cancellation: Cancellation,
): Promise<Address[]> {
  const ended = Promise.withResolvers<never>();
  cancellation.during(() => ended.reject(aborted()));
  try {
    return await Promise.race([guard.resolve(host, timeoutMs), ended.promise]);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw failureOfAddress(error);
  } finally {
    cancellation.during(null);
  }
}

/** A socket is only ever given an IP address; should it come to look something up all the same, it fails. */
const lookUpNothing: LookupFunction = (hostname, _options, callback) => {
  callback(new Error(`${hostname} would have been looked up a second time`), "", 0);
};

interface OpenLimits {
  /** Until TCP is established. */
  tcpMs: number;
  /** Until TLS is. */
  totalMs: number;
  /** The limit that a person knows of. */
  timeoutMs: number;
}

/** Connects to one checked address. @throws AttemptFailure */
function open(
  endpoint: Endpoint,
  { address }: Address,
  secureContext: SecureContext,
  { tcpMs, totalMs, timeoutMs }: OpenLimits,
  record: DialRecord,
  cancellation: Cancellation,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const socket = connect({
      host: address,
      port: endpoint.port,
      lookup: lookUpNothing,
      servername: endpoint.host === address ? undefined : endpoint.host.replace(/\.$/, ""),
      ALPNProtocols: ["http/1.1"],
      secureContext,
      // Said aloud: NODE_TLS_REJECT_UNAUTHORIZED must not switch it off.
      rejectUnauthorized: true,
    });
    const fail = (failure: AttemptFailure) => {
      clearTimeout(timer);
      cancellation.during(null);
      reject(failure);
      socket.destroy();
    };
    const timedOut = (stage: string) => () =>
      fail(new AttemptFailure("connect-timeout", `${stage} was not established within ${timeoutMs} ms.`));
    let timer = setTimeout(timedOut("The connection"), tcpMs);
    const onError = (error: Error) => fail(failureToConnect(error, record.connectMs !== null));
    socket.on("error", onError);
    socket.setNoDelay(true);
    socket.once("connect", () => {
      record.connectMs = performance.now() - startedAt;
      clearTimeout(timer);
      timer = setTimeout(timedOut("TLS"), totalMs - record.connectMs);
    });
    socket.once("secureConnect", () => {
      record.tlsMs = performance.now() - startedAt - (record.connectMs ?? 0);
      clearTimeout(timer);
      cancellation.during(null);
      // Until its next owner listens, an error must not go unheard: it would end the process.
      socket.off("error", onError).on("error", () => {});
      resolve(socket);
    });
    cancellation.during(() => fail(aborted()));
  });
}
