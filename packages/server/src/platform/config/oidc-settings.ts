import { ConfigError } from "./config-error.ts";
import type { Key, ValueOf } from "./keys.ts";
import { variableOf } from "./settings.ts";

/** A provider of OpenID Connect, and what a sign-in by it is worth. */
export interface OidcSettings {
  /** As the provider spells it. */
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** What people know the provider by. */
  name: string;
  /** Separated by spaces; null: the usual ones, as far as the provider has them. */
  scopes: string | null;
  /** The claims that hold what is kept of a person. */
  claims: { username: string; name: string; phone: string };
  /** Whether a person whom the provider names is taken for the account of that name, if it has no identity yet. */
  link: boolean;
  /** Whether people who have no account get one. */
  create: boolean;
  /** Whether passwords are refused. */
  only: boolean;
  /** By how much the provider's clock may differ from that of this machine, in milliseconds. */
  clockToleranceMs: number;
}

export interface MemberOidc extends OidcSettings {
  /** The tenants whose members the provider knows. */
  tenants: readonly string[];
}

export interface DeveloperOidc extends OidcSettings {
  /** Who has this claim is an operator, and who has not is none; null: the provider does not say. */
  operatorClaim: { name: string; value: string } | null;
  /** For how long it makes an operator, unless the provider says it again, in milliseconds. */
  operatorClaimLifeMs: number;
}

type Get = <K extends Key>(key: K) => ValueOf<K>;

/**
 * The provider of members; null when there is none.
 *
 * @throws ConfigError when it does not name its tenants: a company's provider must not open another's accounts.
 */
export function memberOidcOf(get: Get): MemberOidc | null {
  const settings = settingsOf(get, "members");
  if (settings === null) return null;
  const tenants = get("oidc.members.tenants");
  if (tenants.length > 0) return { ...settings, tenants };
  throw new ConfigError(
    `${variableOf("oidc.members.tenants")} is required with ${variableOf("oidc.members.issuer")}: the tenants whose members the provider knows`,
  );
}

/** The provider of developers; null when there is none. */
export function developerOidcOf(get: Get): DeveloperOidc | null {
  const settings = settingsOf(get, "developers");
  return (
    settings && {
      ...settings,
      operatorClaim: get("oidc.developers.operatorClaim"),
      operatorClaimLifeMs: get("oidc.developers.operatorClaimLife"),
    }
  );
}

function settingsOf(get: Get, people: "members" | "developers"): OidcSettings | null {
  const key = `oidc.${people}` as const;
  const issuer = get(`${key}.issuer`);
  const clientId = get(`${key}.clientId`);
  if (issuer === null && clientId === null) {
    // Passwords would stay on although they were to be refused.
    const idle = (["only", "link", "create"] as const).find((name) => get(`${key}.${name}`) === "true");
    if (idle === undefined) return null;
    throw new ConfigError(
      `${variableOf(`${key}.${idle}`)} is set without ${variableOf(`${key}.issuer`)}: set the provider too, or leave it out`,
    );
  }
  if (issuer === null) throw incomplete(`${key}.clientId`, `${key}.issuer`);
  if (clientId === null) throw incomplete(`${key}.issuer`, `${key}.clientId`);
  const { host, search, hash, username, password } = new URL(issuer);
  if (`${search}${hash}${username}${password}` !== "") {
    throw new ConfigError(`${variableOf(`${key}.issuer`)} must have no query, no fragment and no credentials`);
  }
  return {
    issuer,
    clientId,
    clientSecret: get(`${key}.clientSecret`),
    name: get(`${key}.name`) ?? host,
    scopes: get(`${key}.scopes`),
    claims: {
      username: get(`${key}.claims.username`),
      name: get(`${key}.claims.name`),
      phone: get(`${key}.claims.phone`),
    },
    link: get(`${key}.link`) === "true",
    create: get(`${key}.create`) === "true",
    only: get(`${key}.only`) === "true",
    clockToleranceMs: get(`${key}.clockTolerance`),
  };
}

function incomplete(given: Key, missing: Key): ConfigError {
  return new ConfigError(`${variableOf(given)} is set without ${variableOf(missing)}: set both`);
}
