import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Received, type Receiver, startReceiver } from "./receiver.ts";

type Claims = Record<string, unknown>;

/** An authorization code's person, and what the client has to prove. */
interface Grant {
  claims: Claims;
  challenge: string;
}

/** A token as its parts; a test changes them to forge one. */
export interface TokenParts {
  header: Claims;
  payload: Claims;
  key: KeyObject;
}

const CLIENT_ID = "portico";
const CLIENT_SECRET = "the client's secret & more";

/** A provider of OpenID Connect whose every answer a test can change. */
export class TestIssuer {
  readonly receiver: Receiver;
  /** It may be changed, and be without a name. */
  key = newKey();
  kid: string | undefined = "k1";
  readonly #grants = new Map<string, Grant>();
  /** Changes the next ID tokens; null: they are as they should be. */
  forge: ((parts: TokenParts) => TokenParts | string) | null = null;
  /** Answers in place of the provider; null: it works. */
  fault: ((received: Received, response: ServerResponse) => void) | null = null;
  /** The same for a path alone. */
  readonly faults = new Map<string, (received: Received, response: ServerResponse) => void>();
  /** What it tells of itself beside the usual. */
  metadata: Claims = {};
  /** What its userinfo endpoint tells beside the sub. */
  userinfo: Claims = {};
  /** Whether codes may be redeemed again. */
  isForgetful = false;
  #subject = "";

  private constructor(receiver: Receiver) {
    this.receiver = receiver;
    receiver.respond = (received, response) => this.#respond(received, response);
  }

  static async start(): Promise<TestIssuer> {
    return new TestIssuer(await startReceiver());
  }

  get url(): string {
    return this.receiver.url("");
  }

  /** The configuration of a service that trusts it. */
  env(people: "MEMBERS" | "DEVELOPERS", other: Record<string, string> = {}): Record<string, string> {
    const name = `PORTICO_OIDC_${people}`;
    const own = Object.entries(other).map(([key, value]) => [`${name}_${key}`, value]);
    return {
      PORTICO_OIDC_ALLOW_NETWORKS: "127.0.0.0/8",
      [`${name}_ISSUER`]: this.url,
      [`${name}_CLIENT_ID`]: CLIENT_ID,
      [`${name}_CLIENT_SECRET`]: CLIENT_SECRET,
      ...(people === "MEMBERS" && { [`${name}_TENANTS`]: "t_acme" }),
      ...Object.fromEntries(own),
    };
  }

  /** A code for somebody who has signed in after being sent to `authorization`. */
  grant(authorization: URL, claims: Claims): string {
    const code = randomUUID();
    const { searchParams } = authorization;
    const nonce = searchParams.get("nonce");
    this.#grants.set(code, {
      claims: { aud: CLIENT_ID, nonce, ...claims },
      challenge: searchParams.get("code_challenge") ?? "",
    });
    return code;
  }

  /** Requests of a path so far. */
  asked(path: string): Received[] {
    return this.receiver.requests.filter((received) => received.path === path);
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
  }

  #respond(received: Received, response: ServerResponse): void {
    const fault = this.fault ?? this.faults.get(received.path);
    if (fault === undefined) {
      const { status = 200, ...value } = this.#answerTo(received);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    } else fault(received, response);
  }

  /** The body, with a status unless it is 200. */
  #answerTo(received: Received): Claims & { status?: number } {
    switch (received.path) {
      case "/.well-known/openid-configuration":
        return {
          issuer: this.url,
          authorization_endpoint: `${this.url}/auth`,
          token_endpoint: `${this.url}/token`,
          userinfo_endpoint: `${this.url}/userinfo`,
          jwks_uri: `${this.url}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
          ...this.metadata,
        };
      case "/keys": {
        const key = this.key.publicKey.export({ format: "jwk" });
        return { keys: [{ ...key, kid: this.kid, use: "sig", alg: "ES256" }] };
      }
      case "/userinfo":
        return { sub: this.#subject, ...this.userinfo };
      case "/token":
        return this.#redeem(received);
      default:
        return { status: 404, error: "not_found" };
    }
  }

  #redeem({ body, headers }: Received): Claims & { status?: number } {
    const said = new URLSearchParams(body.toString());
    const code = said.get("code") ?? "";
    const grant = this.#grants.get(code);
    if (!this.isForgetful) this.#grants.delete(code);
    const secret = Buffer.from((headers.authorization ?? "").replace("Basic ", ""), "base64").toString();
    const [id = "", ...rest] = secret.split(":");
    if (id !== CLIENT_ID || decodeForm(rest.join(":")) !== CLIENT_SECRET)
      return { status: 401, error: "invalid_client" };
    const challenge = createHash("sha256")
      .update(said.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant === undefined || challenge !== grant.challenge) return { status: 400, error: "invalid_grant" };
    this.#subject = String(grant.claims.sub);
    const idToken = this.#idToken(grant.claims);
    return { access_token: randomUUID(), token_type: "Bearer", expires_in: 60, id_token: idToken };
  }

  #idToken(claims: Claims): string {
    const now = Math.floor(Date.now() / 1_000);
    const parts = {
      header: { alg: "ES256", kid: this.kid },
      payload: { iss: this.url, iat: now, exp: now + 60, ...claims },
      key: this.key.privateKey,
    };
    const forged = this.forge?.(parts) ?? parts;
    return typeof forged === "string" ? forged : signedToken(forged);
  }
}

/** What stands in a header is encoded as in a form (RFC 6749, section 2.3.1). */
function decodeForm(text: string): string {
  return new URLSearchParams(`x=${text}`).get("x") ?? "";
}

export function newKey() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** A token of these parts, signed by its key whatever the header says. */
function signedToken({ header, payload, key }: TokenParts): string {
  const text = unsignedToken(header, payload);
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

export function unsignedToken(header: Claims, payload: Claims): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
}
