import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { CERTIFICATES, TEST_KEY } from "../../../server/test/support/certificates.ts";

/** A person at the provider. */
export interface ProviderAccount {
  name: string;
  preferred_username?: string;
  phone_number?: string;
  groups?: readonly string[];
}

/** A certified provider of OpenID Connect on this machine, with its own pages to sign in and to agree. */
export interface RunningProvider {
  issuer: string;
  /** Ends its sessions and refuses connections. */
  stop(): Promise<void>;
}

/**
 * Starts a provider.
 *
 * @param accounts by the name that people sign in with there; any password will do.
 * @param callbacks where it may send browsers back to.
 */
export async function startProvider(
  accounts: Readonly<Record<string, ProviderAccount>>,
  callbacks: readonly string[],
): Promise<RunningProvider> {
  const server = createServer({ cert: CERTIFICATES.good, key: TEST_KEY });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "portico",
        client_secret: "the secret of portico",
        redirect_uris: [...callbacks],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], profile: ["name", "preferred_username", "groups"], phone: ["phone_number"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ["a key of tests"] },
    findAccount: (_context, id) => {
      const account = accounts[id];
      if (account === undefined) return undefined;
      return { accountId: id, claims: () => ({ sub: `sub of ${id}`, ...account }) };
    },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
