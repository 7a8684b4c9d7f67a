import assert from "node:assert/strict";
import { test } from "node:test";
import { Command as Parser } from "@commander-js/extra-typings";
import { COMMANDS as ALL_COMMANDS } from "../src/commands.ts";
import { createWorkspace } from "./portico.ts";

const COMMANDS = [
  "serve",
  "provision",
  "send",
  "upload",
  "card check",
  "card preview",
  "card convert",
  "card update",
  "card recall",
  "read",
  "customer auth",
  "customer visitor",
  "customer send",
  "customer messages",
  "customer open",
  "customer session",
  "customer assign",
  "customer close",
  "customer agent",
  "login",
  "logins",
  "logout",
  "apps",
  "apps create",
  "apps show",
  "apps submit",
  "apps scopes",
  "rotate",
  "requests",
  "subscribe",
  "subscriptions",
  "verify",
  "listen",
  "trigger",
  "rehearse",
  "say",
  "install",
  "uninstall",
  "miniapp-code",
  "apps update",
  "quota",
  "templates list",
  "templates pull",
  "templates push",
  "templates diff",
  "agents",
  "visitors",
  "canned-replies",
  "desk",
  "audit",
  "tenants",
  "members",
  "members add",
  "members update",
  "groups",
  "deliveries",
  "redeliver",
  "reviews",
  "approve",
  "reject",
  "whoami",
  "doctor",
  "sign",
  "completion",
];

const DEVELOPER = ["--phone", "13800000001", "--password", "s3cr3t"];
const CREDENTIAL = ["--app-id", "app_1", "--credential-id", "cred_1", "--app-secret", "s3cr3t"];

test("--help lists the commands, and each command's --help shows its usage", async () => {
  await using workspace = await createWorkspace();
  const overview = await workspace.portico(["--help"]);
  assert.equal(overview.code, 0);
  for (const name of COMMANDS) {
    assert.match(overview.stdout, new RegExp(`^  ${name} `, "m"));
    const { code, stdout, stderr } = await workspace.portico([...name.split(" "), "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^usage: portico ${name}\\b`, "m"));
    assert.match(stdout, /\n\nExamples?:\n {2}\S/);
  }
});

test("every command offers --json, except completion, which prints a script, and serve, which prints its log", () => {
  const without = ALL_COMMANDS.filter(
    (command) => !command.configure(new Parser()).options.some(({ long }) => long === "--json"),
  );
  assert.deepEqual(
    without.map(({ name }) => name),
    ["serve", "completion"],
  );
});

test("help and -h list the commands, and a group's --help lists its own", async () => {
  await using workspace = await createWorkspace();
  const { stdout } = await workspace.portico(["--help"]);
  for (const word of ["help", "-h"]) assert.deepEqual(await workspace.portico([word]), { code: 0, stdout, stderr: "" });
  const group = await workspace.portico(["card", "--help"]);
  assert.equal(group.code, 0);
  assert.match(
    group.stdout,
    /^ {2}card check .*\n {2}card preview .*\n {2}card convert .*\n {2}card update .*\n {2}card recall .*\n\n/m,
  );
  assert.doesNotMatch(group.stdout, /^ {2}send/m);
});

test("without a command the list goes to stderr and the exit code is 2", async () => {
  await using workspace = await createWorkspace();
  const { code, stdout, stderr } = await workspace.portico([]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^usage: portico COMMAND/);
});

test("an unknown command is answered with the most similar one", async () => {
  await using workspace = await createWorkspace();
  for (const [word, hint] of [
    ["sned", /did you mean "send"\?/],
    ["whoam", /did you mean "whoami"\?/],
    ["provison", /did you mean "provision"\?/],
    [
      "frobnicate",
      /commands: serve, provision, backup, restore, check-store, migrate, move, master-key rotate, master-key status, operator create, send/,
    ],
    ["", /commands: serve/],
    ["card", /no command "card"; commands: card check, card preview, card convert, card update, card recall\n/],
    ["card chek", /no command "card chek"; did you mean "card check"\?/],
    [
      "card send",
      /no command "card send"; commands: card check, card preview, card convert, card update, card recall\n/,
    ],
    ["apps shwo", /no command "apps shwo"; did you mean "apps show"\?/],
    ["apps frobnicate", /no command "apps frobnicate"; commands: apps, apps create, apps show, /],
  ] as const) {
    const { code, stdout, stderr } = await workspace.portico(word.split(" "));
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, hint);
  }
});

for (const [args, message] of [
  [["send", "hello"], /--to is missing/],
  [["send", "--to", "g_team", "hello"], /--to must be group:ID or user:ID/],
  [["send", "--to", "group:", "hello"], /--to must be group:ID or user:ID/],
  [["send", "--to", "group:g"], /nothing to send: give one of TEXT, --card, /],
  [["send", "--to", "group:g", "--card", "a.json", "hello"], /more than one thing to send: give one of TEXT/],
  [["send", "--to", "group:g", "--image", "a.png", "--file", "a.png"], /more than one thing to send/],
  [["send", "--to", "group:g", "--size", "1x1", "hello"], /--size goes with --image/],
  [["send", "--to", "group:g", "--image", "a.png", "--size", "big"], /--size must be such as 640x480/],
  [["send", "--to", "group:g", "--reply-to", "last", "hello"], /--reply-to must be the id of a message/],
  [["send", "--to", "group:g", ...CREDENTIAL, "--card", "absent.json"], /cannot read absent\.json: ENOENT/],
  [["send", "--to", "group:g", ...CREDENTIAL, "--file", "absent.txt"], /cannot read absent\.txt: ENOENT/],
  [["send", "--to", "group:g", ...CREDENTIAL, "--file", "."], /cannot read \.: EISDIR/],
  [["upload"], /FILE is missing/],
  [["upload", "a", "b"], /1 argument too many/],
  [["upload", ...CREDENTIAL, "absent.txt"], /cannot read absent\.txt: ENOENT/],
  [["upload", ...CREDENTIAL, "--type", "png", "a"], /a: mimeType must be one such as image\/png/],
  [["card", "check"], /FILE is missing/],
  [["card", "check", "absent.json"], /cannot read absent\.json: ENOENT/],
  [["card", "preview"], /FILE is missing/],
  [["card", "preview", "absent.json"], /cannot read absent\.json: ENOENT/],
  [["card", "preview", "a", "b"], /1 argument too many/],
  [["card", "preview", "a", "--theme", "pink"], /--theme must be one of light, dark/],
  [["card", "preview", "a", "--locale", "Klingon!"], /--locale must be a language such as zh-CN or en/],
  [["card", "preview", "a", "--png", "-"], /--png needs the name of a file/],
  [["card", "preview", "a", "--png"], /--png needs a value/],
  [["card", "convert"], /FILE is missing/],
  [["card", "update", "17"], /MESSAGE_ID and FILE are needed/],
  [["card", "update", "17", "a", "b"], /1 argument too many/],
  [["card", "update", "1.5", "a"], /MESSAGE_ID must be the id of a message, a whole number/],
  [["card", "update", "17", "a", "--version", "0"], /--version must be a whole number from 1 on/],
  [["card", "recall"], /MESSAGE_ID is missing/],
  [["card", "recall", "9007199254740993"], /MESSAGE_ID must be the id of a message/],
  [["send", "--to", "group:g", "two", "words"], /1 argument too many; put quotes around the text/],
  [["send", "--to", "group:g", "--colour", "hello"], /unknown option "--colour"; `portico send --help` lists/],
  [["send", "--to", "group:g", "--mentoin", "bob", "hello"], /unknown option "--mentoin"; did you mean "--mention"\?/],
  [["send", "--to", "group:g", "--apps-secret=s3cr3t", "hello"], /unknown option "--apps-secret"; did you mean/],
  [["send", "hello", "--to"], /--to needs a value/],
  [
    ["send", "--to", "group:g", "--reply-to", "--json", "hello"],
    /--reply-to needs a value; one that begins with a hyph/,
  ],
  [["apps", "--status", "ACTIVE", "show", "app_1"], /options go behind the whole name of a command: portico apps show/],
  [["completion"], /SHELL is missing/],
  [["completion", "sh"], /SHELL must be one of bash, zsh, fish/],
  [["send", "--to", "group:g", "hello"], /no --app-id, --credential-id, --app-secret-file/],
  [["send", "--to", "group:g", "--profile", "absent.json", "hello"], /cannot read absent\.json: ENOENT/],
  [["whoami", ...CREDENTIAL, "--base-url", "localhost:8080"], /base URL must be an address/],
  [["whoami", ...CREDENTIAL, "--base-url", "http://localhost/prefix"], /base URL must be an address/],
  [["whoami", ...CREDENTIAL, "--app-secret-file", "secret"], /exclude each other/],
  [["whoami", "extra"], /takes no arguments/],
  [["read"], /CONVERSATION is missing/],
  [["read", "group:g", "--user", "alice"], /no --tenant, --password-file/],
  [["deliveries"], /APP_ID is missing/],
  [["deliveries", "app_1", "evt_1", "evt_2"], /1 argument too many/],
  [["deliveries", "app_1"], /no --phone, --password-file/],
  [["deliveries", "app_1", "--phone", "1"], /no --password-file/],
  [["deliveries", "app_1", "--phone", "1", "--password-file", "absent"], /cannot read absent: ENOENT/],
  [["deliveries", "app_1", ...DEVELOPER, "--password-file", "file"], /--password and --password-file exclude each/],
  [["deliveries", "app_1", ...DEVELOPER, "--channel", "one"], /--channel must be a whole number/],
  [["deliveries", "app_1", "--status", "LOST"], /--status must be one of PENDING, RETRYING/],
  [["deliveries", "app_1", "--type", "im.message"], /--type must be one of im\.message\.receive_v1/],
  [["deliveries", "app_1", "--page", "0"], /--page must be a whole number from 1 on/],
  [["deliveries", "app_1", "--from", "yesterday"], /--from must be a date, or a time with its offset/],
  [["deliveries", "app_1", "--from", "2026-01-31T08:00:00"], /--from must be a date, or a time with its offset/],
  [["deliveries", "app_1", "--to", "2026-02-30"], /--to must be a date/],
  [["deliveries", "app_1", "--to", "2026-13-01"], /--to must be a date/],
  [["deliveries", "app_1", "--to", "2026-01-01T25:00Z"], /--to must be a date/],
  [["deliveries", "app_1", "evt_1", "--page", "2"], /do not go with an EVENT_ID/],
  [["deliveries", "app_1", "evt_1", "--status", "FAILED"], /do not go with an EVENT_ID/],
  [["deliveries", "app_1", "evt_1", "--follow"], /--follow goes with --status and --type alone/],
  [["deliveries", "app_1", "--follow", "--from", "2026-01-31"], /--follow goes with --status and --type alone/],
  [["requests", "app_1", "--follow", "--limit", "5"], /--follow takes no REQ_NO/],
  [["requests", "0mh2lq9fk3f6a1b2c3d4e00001x", "--follow"], /--follow takes no REQ_NO/],
  [["redeliver"], /APP_ID is missing/],
  [["redeliver", "app_1"], /give either EVENT_IDs, or --from and --to, or --cancel/],
  [["redeliver", "app_1", "evt_1", "--cancel", "rdj_1"], /give either EVENT_IDs/],
  [["redeliver", "app_1", "evt_1", "--from", "2026-01-01", "--to", "2026-01-02"], /give either EVENT_IDs/],
  [["redeliver", "app_1", "--from", "2026-01-01"], /a range needs both --from and --to/],
  [["redeliver", "app_1", "--status", "FAILED"], /a range needs both --from and --to/],
  [["subscribe", "app_1"], /APP_ID and EVENT_TYPE are needed/],
  [["subscribe", "app_1", "card.interaction"], /give either a URL or --socket/],
  [["subscribe", "app_1", "card.interaction", "https://a", "--socket"], /give either a URL or --socket/],
  [["subscribe", "app_1", "card.interaction", "https://a", "b"], /1 argument too many/],
  [["subscribe", "app_1", "card", "https://a"], /EVENT_TYPE must be one of/],
  [["subscriptions"], /APP_ID is missing/],
  [["subscriptions", "app_1", "app_2"], /1 argument too many/],
  [["verify", "app_1"], /APP_ID and EVENT_TYPE are needed/],
  [["verify", "app_1", "card.interaction", "x"], /1 argument too many/],
  [["verify", "app_1", "card"], /EVENT_TYPE must be one of/],
  [["listen", "app_1", "app_2"], /1 argument too many/],
  [["listen"], /no --app-id, --credential-id, --app-secret-file/],
  [["listen", "--event", "message"], /--event must be one of im\.message\.receive_v1/],
  [["listen", "--forward", "localhost:3000"], /--forward must be an address/],
  [["listen", "--forward", "http://user:pw@localhost/"], /--forward must be an address/],
  [["listen", "--secret", "x"], /--secret goes with --forward/],
  [["listen", "app_2", ...CREDENTIAL], /the credential is that of app_1: name one of app_2/],
  [["say", "group:g"], /CONVERSATION and TEXT are needed/],
  [["say", "group:g", "two", "words"], /1 argument too many; put quotes around the text/],
  [["install", "app_1", "ann", ...DEVELOPER, "--user", "bob"], /--user goes with group:ID/],
  [["uninstall", "app_1", "group:"], /WHERE must be a username, group:ID or user:ID/],
  [["apps", "update", "app_1", ...DEVELOPER], /nothing to change/],
  [["apps", "update", "app_1", "--origin", "https://a", "--no-origins", ...DEVELOPER], /exclude each other/],
  [["quota", "app_1", "--per-day", "many"], /--per-day must be a whole number from 1 on, or default/],
  [["templates", "push", "app_1", "card.json", ...DEVELOPER], /--name is missing/],
  [["agents", "app_1", "--add", "a", "--remove", "b", ...DEVELOPER], /--add and --remove exclude each other/],
  [["canned-replies", "app_1", "--import", "x", "--remove", "b", ...DEVELOPER], /--import and --remove exclude each/],
  [["visitors", "app_1", "--disable", "a", "--enable", "b", ...DEVELOPER], /exclude each other/],
  [["members", "update", "u_1", ...DEVELOPER], /nothing to change/],
  [["groups", "--add", "ann", ...DEVELOPER], /GROUP_ID is missing/],
  [["rehearse", "CALL_DIES"], /FAULT must be one of CALL_RATE_LIMITED/],
  [["rehearse", "--times", "2"], /go with FAULT/],
  [["rehearse", "CALL_FAILS", "--end"], /exclude each other/],
  [["rehearse", "CALL_FAILS", "--delay", "10"], /--delay goes with CALL_SLOW/],
  [["trigger"], /TYPE is missing/],
  [["trigger", "im.message"], /TYPE must be one of im\.message\.receive_v1/],
  [["trigger", "card.interaction", ...DEVELOPER], /--app is missing: name the app/],
  [["login", "13800000001"], /takes no arguments/],
  [["login"], /no --phone, --password-file/],
  [["login", "--phone", "1"], /no --password-file/],
  [["login", "--qr", "--phone", "1"], /--qr needs no phone number/],
  [["logout", "now"], /takes no arguments/],
  [["logout", "--all", "--as", "work"], /--as and --all exclude each other/],
  [["apps", "--as", "../work"], /--as must be a name of small letters/],
  [["apps", "--as", "work", ...DEVELOPER], /--as names a developer: give no phone number/],
  [["subscribe", "app_1", "card.interaction", "--socket", "--secret-file", "f"], /by socket needs no --secret-file/],
  [
    ["subscribe", "app_1", "card.interaction", "https://a", ...DEVELOPER, "--secret-file", "none/secret"],
    /cannot write none\/secret: ENOENT/,
  ],
  [["apps"], /no --phone, --password-file: sign in with `portico login`/],
  [["apps", "--status", "LOST"], /--status must be one of UNPUBLISHED, IN_REVIEW, ACTIVE, DISABLED/],
  [["apps", "--type", "ROBOT"], /--type must be one of BOT, /],
  [["apps", "--page", "0"], /--page must be a whole number from 1 on/],
  [["apps", "create", "BOT"], /TYPE and NAME are needed/],
  [["apps", "create", "ROBOT", "x"], /TYPE must be one of BOT, /],
  [["apps", "create", "BOT", "Build", "bot"], /1 argument too many; put quotes around the name/],
  [["apps", "show"], /APP_ID is missing/],
  [["apps", "submit", "app_1", "--withdraw", "--note", "x"], /--withdraw takes no --note/],
  [["apps", "scopes"], /APP_ID is missing/],
  [["apps", "scopes", "app_1", "bot.message.send"], /1 argument too many/],
  [["apps", "scopes", "app_1", "--request", "bot.mesage.send"], /did you mean "bot\.message\.send"\?/],
  [["apps", "scopes", "app_1", "--request", "everything"], /no scope "everything"; one of customer\.agent\.read/],
  [["apps", "scopes", "app_1", "--request", "bot.message.send", "--drop", "bot.message.reply"], /exclude each other/],
  [["apps", "scopes", "app_1", "--note", "x"], /--note goes with --request/],
  [["rotate"], /APP_ID is missing/],
  [["login", "--member"], /--member needs --as NAME: the login without a name is a developer's/],
  [["login", "--member", "--as", "ann", "--qr"], /--member takes --tenant, --user and a password/],
  [["login", "--member", "--as", "ann", "--phone", "1"], /--member takes --tenant, --user and a password/],
  [["login", "--user", "ann"], /--tenant and --user go with --member/],
  [["read", "group:g", "--as", "ann", "--user", "ann"], /--as names a member: give no tenant/],
  [["requests"], /APP_ID or REQ_NO is missing/],
  [["requests", "app_1", "app_2"], /1 argument too many/],
  [["requests", "app_1", "--status", "9xx"], /--status must be an HTTP status such as 401, or a class/],
  [["requests", "app_1", "--method", "HEAD"], /--method must be one of GET, POST, PUT, DELETE/],
  [["requests", "app_1", "--limit", "101"], /--limit must be at most 100/],
  [["requests", "app_1", "--from", "today"], /--from must be a date/],
  [["requests", "0mh2lq9fk3f6a1b2c3d4e00001x", "--status", "401"], /do not go with a REQ_NO/],
  [["requests", "app_1", "app_2", "0mh2lq9fk3f6a1b2c3d4e00001x"], /1 argument too many/],
  [["reviews", "app_1"], /takes no arguments/],
  [["reviews", "--state", "OPEN"], /--state must be one of PENDING, /],
  [["approve"], /APP_ID is missing/],
  [["approve", "app_1", "--scopes", "all"], /--scopes: no scope "all"/],
  [["reject", "app_1"], /--comment is missing: tell the owner what to change/],
  [["provision"], /FILE is missing/],
  [["serve", "now"], /takes no arguments/],
  [["sign", "GET"], /METHOD and PATH are needed/],
  [["sign", "G T", "/"], /METHOD must be a word/],
  [["sign", "GET", "localhost/api"], /PATH must begin with \//],
  [["sign", "GET", "/a b"], /percent-encoded/],
  [["sign", "GET", "/a#b"], /fragment/],
  [["sign", "GET", "/a", "--body", "x", "--body-file", "y"], /exclude each other/],
  [["sign", "GET", "/a", "--body-file", "absent"], /cannot read absent: ENOENT/],
  [["sign", "GET", "/a", "--timestamp", "soon"], /--timestamp must be milliseconds/],
  [["sign", "GET", "/a", "--nonce", "a b"], /--nonce must be/],
  [["sign", "GET", "/a?b=%zz", ...CREDENTIAL], /malformed percent sequence/],
] as const) {
  test(`wrong usage is explained, with the usage line and exit code 2: ${args.join(" ")}`, async () => {
    await using workspace = await createWorkspace();
    const { code, stdout, stderr } = await workspace.portico([...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, message);
    assert.match(stderr, new RegExp(`^usage: portico ${args[0]}`, "m"));
    assert.doesNotMatch(stderr, /s3cr3t/);
  });
}

test("a profile that is not JSON is named, and its content is not shown", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("profile.json", '{"appId": "app_1", "appSecret": "s3cr3t" oops');
  const { code, stderr } = await workspace.portico(["whoami", "--profile", "profile.json"]);
  assert.equal(code, 2);
  assert.match(stderr, /profile\.json is not valid JSON/);
  assert.doesNotMatch(stderr, /s3cr3t|oops/);
});

test("help NAME shows the same as NAME --help, and fails for an unknown command", async () => {
  await using workspace = await createWorkspace();
  for (const name of ["send", "card check", "card", "apps", "apps show"]) {
    const words = name.split(" ");
    assert.deepEqual(await workspace.portico(["help", ...words]), await workspace.portico([...words, "--help"]));
  }
  for (const words of [
    ["help", "sned"],
    ["sned", "--help"],
  ]) {
    const { code, stdout, stderr } = await workspace.portico(words);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^portico: no command "sned"; did you mean "send"\?$/m);
  }
});

test("an unknown option is refused with the usage of the words before it", async () => {
  await using workspace = await createWorkspace();
  for (const [words, usage] of [
    [["--colour", "send"], "usage: portico COMMAND [OPTIONS]"],
    [["card", "--colour"], "usage: portico card COMMAND [OPTIONS]"],
  ] as const) {
    const { code, stdout, stderr } = await workspace.portico([...words]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^portico: unknown option "--colour"; /);
    assert.equal(stderr.split("\n")[1], usage);
  }
});

test("a value that begins with a hyphen is given after an equals sign", async () => {
  await using workspace = await createWorkspace();
  const { code, stdout } = await workspace.portico([
    "sign",
    "GET",
    "/",
    ...CREDENTIAL,
    "--nonce=-n",
    "--timestamp",
    "1",
  ]);
  assert.deepEqual([code, stdout.includes("-n\n")], [0, true]);
});
