import { connect as connectPlain, type LookupFunction, type Socket } from "node:net";
import { connect, type SecureContext } from "node:tls";
import { type AddressGuard, hostOf } from "./address-guard.ts";
import type { Cancellation } from "./cancellation.ts";
import { aborted, ConnectionFailure, failureToConnect } from "./connection-failure.ts";
import type { Address } from "./lookups.ts";

/** The host and port of a server. */
export interface Endpoint {
  /** A host name, or an IP address without brackets. */
  host: string;
  port: number;
  /** Set for a server without TLS. */
  isPlain?: boolean;
}

/** The server of a URL, by https or http. */
export function endpointOf(url: URL): Endpoint {
  const isPlain = url.protocol === "http:";
  return { host: hostOf(url), port: Number(url.port || (isPlain ? 80 : 443)), isPlain };
}

/** The progress of a dial. Durations are in milliseconds, null while unknown. */
export interface DialRecord {
  /** The last address tried. */
  address: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export interface DialOptions {
  guard: AddressGuard;
  secureContext: SecureContext;
  /** For lookup, TCP and TLS together, over all addresses. */
  timeoutMs: number;
}

/** The most addresses of a server that are tried; all of them are checked. */
const MAX_ADDRESSES_TRIED = 4;

/**
 * Opens a connection to `endpoint`, by TLS unless it is a plain one: resolves the host, checks every address, and connects to these addresses one
 * after another until TCP succeeds. The certificate is verified against the host name. Updates `record` on the way.
 *
 * @throws AddressRefused, ConnectionFailure.
 */
export async function dial(
  endpoint: Endpoint,
  { guard, secureContext, timeoutMs }: DialOptions,
  record: DialRecord,
  cancellation: Cancellation,
): Promise<Socket> {
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

/** @throws AddressRefused, or ConnectionFailure after a cancellation. */
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
  } finally {
    cancellation.during(null);
  }
}

/** Fails: a socket is only given IP addresses, and must never look up a name itself. */
const lookUpNothing: LookupFunction = (hostname, _options, callback) => {
  callback(new Error(`${hostname} would have been looked up a second time`), "", 0);
};

interface OpenLimits {
  /** For TCP. */
  tcpMs: number;
  /** For TCP and TLS together. */
  totalMs: number;
  /** The limit to report in a failure. */
  timeoutMs: number;
}

/**
 * Connects to a checked address.
 *
 * @throws ConnectionFailure
 */
function open(
  endpoint: Endpoint,
  { address }: Address,
  secureContext: SecureContext,
  { tcpMs, totalMs, timeoutMs }: OpenLimits,
  record: DialRecord,
  cancellation: Cancellation,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const place = { host: address, port: endpoint.port, lookup: lookUpNothing };
    const socket = endpoint.isPlain
      ? connectPlain(place)
      : connect({ ...place, ...tlsOf(endpoint, address, secureContext) });
    const fail = (failure: ConnectionFailure) => {
      clearTimeout(timer);
      cancellation.during(null);
      reject(failure);
      socket.destroy();
    };
    const timedOut = (stage: string) => () =>
      fail(new ConnectionFailure("connect-timeout", `${stage} was not established within ${timeoutMs} ms.`));
    let timer = setTimeout(timedOut("The connection"), tcpMs);
    const onError = (error: Error) => fail(failureToConnect(error, record.connectMs !== null));
    socket.on("error", onError);
    socket.setNoDelay(true);
    socket.once("connect", () => {
      record.connectMs = performance.now() - startedAt;
      clearTimeout(timer);
      if (endpoint.isPlain) return opened();
      timer = setTimeout(timedOut("TLS"), totalMs - record.connectMs);
    });
    socket.once("secureConnect", () => {
      record.tlsMs = performance.now() - startedAt - (record.connectMs ?? 0);
      opened();
    });
    const opened = () => {
      clearTimeout(timer);
      cancellation.during(null);
      // Until its next owner adds a listener, an unhandled error would end the process.
      socket.off("error", onError).on("error", () => {});
      resolve(socket);
    };
    cancellation.during(() => fail(aborted()));
  });
}

function tlsOf({ host }: Endpoint, address: string, secureContext: SecureContext) {
  return {
    servername: host === address ? undefined : host.replace(/\.$/, ""),
    ALPNProtocols: ["http/1.1"],
    secureContext,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
    rejectUnauthorized: true,
  };
}
