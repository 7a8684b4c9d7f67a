import { GROUP_SCHEMA } from "../../domain/scim/group-resource.ts";
import { notFound } from "../../domain/scim/scim-error.ts";
import { USER_SCHEMA } from "../../domain/scim/user-resource.ts";
import { listAnswer, MAX_COUNT } from "./lists.ts";
import type { AddScimRoute } from "./scim-route.ts";

const OFF = { supported: false };

/** What the service can do (RFC 7643, section 5). */
const CONFIG = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: { supported: true },
  sort: OFF,
  etag: OFF,
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token that an operator has made for the tenant",
      primary: true,
    },
  ],
};

/** The attributes of a resource (RFC 7643, section 7); `more` differs from the usual. */
function attribute(name: string, more: object = {}): object {
  const usual = { type: "string", multiValued: false, required: false, caseExact: true, mutability: "readWrite" };
  return { name, ...usual, returned: "default", uniqueness: "none", ...more };
}

const SCHEMAS = [
  {
    id: USER_SCHEMA,
    name: "User",
    attributes: [
      attribute("userName", { required: true, uniqueness: "server", caseExact: false }),
      attribute("displayName"),
      attribute("name", {
        type: "complex",
        subAttributes: [attribute("formatted"), attribute("givenName"), attribute("familyName")],
      }),
      attribute("active", { type: "boolean" }),
      attribute("password", { mutability: "writeOnly", returned: "never" }),
      attribute("emails", {
        type: "complex",
        multiValued: true,
        subAttributes: [
          attribute("value"),
          attribute("type"),
          attribute("display"),
          attribute("primary", { type: "boolean" }),
        ],
      }),
      attribute("groups", {
        type: "complex",
        multiValued: true,
        mutability: "readOnly",
        subAttributes: ["value", "$ref", "display", "type"].map((name) => attribute(name, { mutability: "readOnly" })),
      }),
      attribute("phoneNumbers", {
        type: "complex",
        multiValued: true,
        subAttributes: [attribute("value"), attribute("type", { canonicalValues: ["mobile"] })],
      }),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: "Group",
    attributes: [
      attribute("displayName", { required: true }),
      attribute("members", {
        type: "complex",
        multiValued: true,
        subAttributes: [
          attribute("value", { mutability: "immutable" }),
          attribute("display", { mutability: "readOnly" }),
        ],
      }),
    ],
  },
].map((schema) => ({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"], ...schema }));

const TYPES = [
  { id: "User", name: "User", endpoint: "/Users", schema: USER_SCHEMA },
  { id: "Group", name: "Group", endpoint: "/Groups", schema: GROUP_SCHEMA },
].map((type) => ({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], ...type }));

/** What a directory may ask before it begins. */
export function addDiscoveryRoutes(add: AddScimRoute): void {
  add("GET", "/ServiceProviderConfig", async ({ base }) => ({
    body: { ...CONFIG, meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` } },
  }));
  for (const [path, kind, all] of [
    ["/Schemas", "Schema", SCHEMAS],
    ["/ResourceTypes", "ResourceType", TYPES],
  ] as const) {
    const shown = (base: string, each: (typeof all)[number]) => ({
      ...each,
      meta: { resourceType: kind, location: `${base}${path}/${each.id}` },
    });
    add("GET", path, async ({ base }) => ({
      body: listAnswer(
        all.map((each) => shown(base, each)),
        all.length,
        { offset: 0, limit: all.length },
      ),
    }));
    add("GET", `${path}/:id`, async ({ base, id }) => {
      const found = all.find((each) => each.id === id);
      if (found === undefined) throw notFound(`${kind} ${id}`);
      return { body: shown(base, found) };
    });
  }
}
