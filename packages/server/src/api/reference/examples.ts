import type { Schema } from "./openapi.ts";

/** What a field of this name holds in examples, where its schema does not say. */
const BY_NAME: Record<string, unknown> = {
  accessToken: "at_Zk3xq8yT5uYvB2nW7rLmC4",
  action: { tag: "button", name: "approve", value: { build: 1234 } },
  agentId: "carol",
  agentName: "Carol",
  appId: "app_demo_bot",
  appSecret: "sk_5cXn2q8yT5uYvB2nW7rLmC4dE6fG",
  avatar: "https://example.com/avatar.png",
  callbackUrl: "https://bot.example.com/events",
  cardId: "tpl_build",
  chatId: "g_demo",
  clientMessageId: "build-1234-passed",
  code: "mc_9hR4tQ2wXz",
  conversationId: "group:g_demo",
  credentialId: "cred_demo_bot",
  cursor: "eyJhZnRlciI6MTAwfQ",
  developerId: "dev_demo",
  displayName: "Build bot",
  email: "ann@example.com",
  error: "Bad Request",
  eventId: "evt_01JG0000000000000000000001",
  eventType: "im.message.receive_v1",
  fileKey: "file__MJ5YcK_FycMxbB4850ifaYGpL87XRKu",
  fileName: "graph.png",
  groupId: "g_demo",
  jobId: "job_1",
  loginId: "login_1",
  message: "success",
  mimeType: "image/png",
  name: "Alice",
  nickname: "Ann",
  nonce: "b3f1c2d4e5a60718",
  openId: "o_3kf8sLq2",
  password: "correct horse battery staple",
  phone: "13800000010",
  qrToken: "qr_7Fh2kLm9",
  receiveId: "g_demo",
  reqNo: "01JG0000000000000000000001",
  scope: "bot.message.send",
  secret: "3q2-7wX5uYvB2nW7rLmC4dE6fGhJkLmNpQrStUvWxYz",
  sessionId: 7,
  sessionKey: "8sLq2kf3Xz9hR4tQ2wT5uYvB",
  subject: "My order",
  targetId: "g_demo",
  tenantId: "t_demo",
  text: "Build 1234 passed",
  thirdMsgId: "crm-88121",
  thirdUserId: "c-77",
  unionId: "u_9hR4tQ2w",
  url: "https://example.com/",
  userId: "u_alice",
  username: "alice",
  visitorId: "v_3kf8sLq2",
};

/** 2026-01-01, in epoch milliseconds. */
const NEW_YEAR = 1_767_225_600_000;

/**
 * An example of a schema: its own, else a value by the name of the field and by the schema's type.
 *
 * @param models resolves references.
 */
export function exampleOf(schema: Schema, models: Readonly<Record<string, Schema>>, name = ""): unknown {
  if ("example" in schema) return schema.example;
  if ("const" in schema) return schema.const;
  const { $ref, enum: values, type, properties, items } = schema;
  if (typeof $ref === "string") return exampleOf(models[$ref.split("/").at(-1) ?? ""] ?? {}, models, name);
  if (Array.isArray(values)) return values[0];
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(alternatives)) return exampleOf(alternatives[0], models, name);
  if (type === "object" || properties !== undefined) return objectOf(schema, models);
  if (type === "array") return [exampleOf((items ?? {}) as Schema, models, singular(name))];
  if (Object.hasOwn(BY_NAME, name) && fits(BY_NAME[name], type)) return BY_NAME[name];
  return scalarOf(schema, name);
}

function objectOf({ properties = {} }: Schema, models: Readonly<Record<string, Schema>>): object {
  const members = Object.entries(properties as Record<string, Schema>);
  return Object.fromEntries(members.map(([name, schema]) => [name, exampleOf(schema, models, name)]));
}

function scalarOf({ type, minimum, default: usual, format }: Schema, name: string): unknown {
  if (usual !== undefined) return usual;
  if (type === "integer" || type === "number")
    return /(?:At|Time|timestamp|from|to)$/.test(name) ? NEW_YEAR : (minimum ?? 1);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (format === "binary") return "(the bytes of the file)";
  return name === "" ? "text" : name;
}

function fits(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}
