import assert from "node:assert/strict";
import { ProvisioningError } from "../src/domain/provisioning/provisioning-error.ts";
import { readProvisioningFile } from "../src/domain/provisioning/read-file.ts";
import { dumpLasting } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { apply, example } from "./support/provisioning.ts";
import { suiteWorld } from "./support/world.ts";

/** Files that cannot be applied: the fault, the file, the beginning of the message, and its other parts. */
const app = (other: Record<string, unknown>) => ({
  ...example(),
  apps: [{ appId: "app_new", tenant: "t_acme", ...other }],
});
const credential = (other: Record<string, unknown>) =>
  app({ credentials: [{ credentialId: "cred_new", appSecret: "x", ...other }] });
const WRONG: [what: string, file: unknown, path: string, ...words: string[]][] = [
  ["an unknown member of the file", { ...example(), app: [] }, "", "app", "unknown"],
  ["an unknown member of a tenant", { tenants: [{ id: "t_x", title: "X" }] }, "tenants[0]", "title", "unknown"],
  ["an unknown member of an app", app({ secret: "x" }), "apps[0]", "secret", "unknown"],
  ["an unknown member of a profile", app({ profile: { name: "x" } }), "apps[0].profile", "name", "unknown"],
  ["an unknown member of a credential", credential({ secret: "x" }), "apps[0].credentials[0]", "secret", "unknown"],
  [
    "__proto__ as a member",
    '{"tenants":[{"id":"t_x","__proto__":{"name":"x"}}]}',
    "tenants[0]",
    "__proto__",
    "unknown",
  ],
  ["a file that is a list", [], "the file "],
  ["a file that is null", null, "the file "],
  ["tenants that are no list", { tenants: { id: "t_x" } }, "tenants "],
  ["a tenant without its id", { tenants: [{ name: "X" }] }, "tenants[0] lacks id"],
  ["an id with a colon", { tenants: [{ id: "a:b" }] }, "tenants[0].id "],
  ["an empty id", { tenants: [{ id: "" }] }, "tenants[0].id "],
  ["an id of 129 characters", { tenants: [{ id: "x".repeat(129) }] }, "tenants[0].id "],
  ["a name with NUL", { tenants: [{ id: "t_x", name: "\u0000" }] }, "tenants[0].name "],
  ["a wrong type", app({ type: "ROBOT" }), "apps[0].type must be one of BOT, CUSTOMER_SERVICE, MINI_PROGRAM"],
  [
    "a wrong status",
    app({ status: "active" }),
    "apps[0].status must be one of UNPUBLISHED, IN_REVIEW, ACTIVE, DISABLED",
  ],
  ["an unknown scope", app({ scopes: ["bot.message.send", "bot.fly"] }), "apps[0].scopes[1] must be one of "],
  [
    "a scope the type cannot hold",
    app({ type: "BOT", scopes: ["bot.message.send", "customer.message.send"] }),
    "apps[0].scopes[1] is customer.message.send, ",
  ],
  ["a scope of a mini-program", app({ type: "MINI_PROGRAM", scopes: ["bot.profile.read"] }), "apps[0].scopes[0] "],
  [
    "a wrong target type",
    app({ installations: [{ targetType: "CHANNEL", targetId: "g_team" }] }),
    "apps[0].installations[0].targetType must be one of GROUP, USER",
  ],
  [
    "a site that is no origin",
    app({ type: "CUSTOMER_SERVICE", profile: { allowedOrigins: ["https://a.example", "a.example/path"] } }),
    "apps[0].profile.allowedOrigins[1] must be an origin",
  ],
  [
    "51 sites",
    app({ type: "CUSTOMER_SERVICE", profile: { allowedOrigins: Array(51).fill("https://a.example") } }),
    "apps[0].profile.allowedOrigins ",
  ],
  [
    "sites of an app without a widget",
    app({ type: "BOT", profile: { allowedOrigins: ["https://a.example"] } }),
    "apps[0].profile.allowedOrigins is only for apps of type CUSTOMER_SERVICE",
  ],
  ["a quota of 0", app({ quota: { perMinute: 0 } }), "apps[0].quota.perMinute "],
  ["a quota that is a text", app({ quota: { perDay: "100" } }), "apps[0].quota.perDay "],
  ["a quota that is no whole number", app({ quota: { concurrent: 1.5 } }), "apps[0].quota.concurrent "],
  ["a quota beyond all counting", app({ quota: { perDay: 1e300 } }), "apps[0].quota.perDay "],
  ["a channel beyond all counting", { developers: [{ phone: "1", channelId: 1e300 }] }, "developers[0].channelId "],
  [
    "a card version beyond all counting",
    app({ cardTemplates: [{ cardId: "tpl_x", version: 1e300, card: {} }] }),
    "apps[0].cardTemplates[0].version ",
  ],
  ["a visitor's status of 2", app({ visitors: [{ visitorId: "v_x", status: 2 }] }), "apps[0].visitors[0].status "],
  ["a credential id without cred_", credential({ credentialId: "key_1" }), "apps[0].credentials[0].credentialId "],
  ["an empty secret", credential({ appSecret: "" }), "apps[0].credentials[0].appSecret "],
  ["a rotation that is no time", credential({ rotatedAt: "yesterday" }), "apps[0].credentials[0].rotatedAt "],
  [
    "a rotation in the 13th month",
    credential({ rotatedAt: "2026-13-01T00:00:00Z" }),
    "apps[0].credentials[0].rotatedAt ",
  ],
  [
    "a rotation that is a time in some guess only",
    credential({ rotatedAt: "perhaps 1" }),
    "apps[0].credentials[0].rotatedAt ",
  ],
  ["a rotation in milliseconds", credential({ rotatedAt: 1767225600000 }), "apps[0].credentials[0].rotatedAt "],
  [
    "an unknown tenant of a member",
    { ...example(), members: [...(example().members ?? []), { userId: "u_x", tenant: "t_nowhere" }] },
    "members[1].tenant names an unknown tenant t_nowhere",
  ],
  ["an unknown tenant of a group", { groups: [{ id: "g_x", tenant: "t_nowhere" }] }, "groups[0].tenant "],
  ["an unknown tenant of an app", app({ tenant: "t_nowhere" }), "apps[0].tenant "],
  [
    "an unknown tenant of a developer",
    { developers: [{ phone: "1", tenants: ["t_acme", "t_nowhere"] }] },
    "developers[0].tenants[1] names an unknown tenant t_nowhere",
  ],
  ["no tenant to default to", { tenants: [], members: [{ userId: "u_x" }] }, "members[0] names no tenant"],
  [
    "an unknown member of a group",
    { groups: [{ id: "g_team", tenant: "t_acme", members: ["alice", "zed"] }] },
    "groups[0].members[1] names an unknown member zed",
  ],
  ["an unknown agent", app({ agents: ["alice", "zed"] }), "apps[0].agents[1] names an unknown member zed"],
  [
    "an installation to an unknown group",
    app({ installations: [{ targetType: "GROUP", targetId: "g_nowhere" }] }),
    "apps[0].installations[0].targetId names an unknown group g_nowhere",
  ],
  [
    "an installation to an unknown member",
    app({ installations: [{ targetType: "USER", targetId: "g_team" }] }),
    "apps[0].installations[0].targetId names an unknown member g_team",
  ],
  [
    "an installation to another tenant's group",
    {
      ...app({ tenant: "t_2", installations: [{ targetType: "GROUP", targetId: "g_team" }] }),
      tenants: [{ id: "t_acme" }, { id: "t_2" }],
    },
    "apps[0].installations[0].targetId names an unknown group g_team",
  ],
  ["an unknown owner", app({ owner: "13811111111" }), "apps[0].owner names an unknown developer 13811111111"],
  [
    "a username that is taken",
    { members: [{ userId: "u_x", tenant: "t_acme", username: "alice" }] },
    "members[0].username ",
  ],
  [
    "another app's credential",
    app({ credentials: [{ credentialId: "cred_ci", appSecret: "stolen" }] }),
    "apps[0].credentials[0].credentialId belongs to another app, app_ci",
  ],
  [
    "another app's card template",
    app({ cardTemplates: [{ cardId: "tpl_1", card: {} }] }),
    "apps[0].cardTemplates[0].cardId belongs to another app, app_ci",
  ],
  [
    "another app's visitor",
    app({ visitors: [{ visitorId: "v_1" }] }),
    "apps[0].visitors[0].visitorId belongs to another app, app_ci",
  ],
  [
    "two visitors with one thirdUserId",
    app({
      visitors: [
        { visitorId: "v_2", thirdUserId: "c-1" },
        { visitorId: "v_3", thirdUserId: "c-1" },
      ],
    }),
    "apps[0].visitors[1].thirdUserId ",
  ],
];

onBothEngines(
  "provisioning: a wrong file is refused with the path that is wrong, and changes nothing",
  (engine, test) => {
    const world = suiteWorld(engine, example());
    /** Valid entries of the wrong files. */
    const harmless = { tenants: [{ id: "t_acme", name: "Renamed" }] };

    for (const [what, file, path, ...words] of WRONG) {
      test(what, async () => {
        const before = await dumpLasting(world());
        const whole =
          typeof file === "object" && file !== null && !Array.isArray(file) ? { ...harmless, ...file } : file;
        await assert.rejects(apply(world(), whole), (error) => {
          assert.ok(error instanceof ProvisioningError, String(error));
          const expected = `provisioning file: ${path}`;
          assert.ok(error.message.startsWith(expected), `${error.message}\ninstead of ${expected}`);
          for (const word of words) assert.ok(error.message.includes(word), error.message);
          return true;
        });
        assert.deepEqual(await dumpLasting(world()), before);
      });
    }
    for (const [what, text] of [
      ["no JSON", "tenants:"],
      ["empty", ""],
      ["cut off", JSON.stringify(example()).slice(0, -1)],
    ] as const) {
      test(`a file that is ${what} is refused with its name`, async () => {
        await assert.rejects(apply(world(), text), (error) => {
          assert.ok(error instanceof ProvisioningError);
          assert.match(error.message, /applied\.json cannot be read: /);
          return true;
        });
      });
    }
    test("a number that cannot be stored exactly is refused with its path", async () => {
      const before = await dumpLasting(world());
      await assert.rejects(apply(world(), '{"apps": [{"appId": "app_x", "quota": {"perDay": 9007199254740993}}]}'), {
        message: /apps\[0\]\.quota\.perDay must be <= 9007199254740991/,
      });
      assert.deepEqual(await dumpLasting(world()), before);
    });
    test("a missing file is refused with its name", () => {
      assert.throws(() => readProvisioningFile("/nowhere/provision.json"), {
        name: "ProvisioningError",
        message: /\/nowhere\/provision\.json cannot be read: ENOENT/,
      });
    });
  },
);
