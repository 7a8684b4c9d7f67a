import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, test } from "node:test";
import { APP_STATES, EVENT_TYPES } from "@portico/protocol";
import { createWorkspace } from "./portico.ts";

const scripts: Record<string, string> = {};

before(async () => {
  await using workspace = await createWorkspace();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout, stderr } = await workspace.portico(["completion", shell]);
    assert.deepEqual([code, stderr], [0, ""]);
    scripts[shell] = stdout;
  }
});

/** What bash offers for the last word; bash treats an equals sign as a separate word. */
function offered(words: readonly string[], directory?: string): string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _portico; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${scripts.bash}\ncomplete -p portico >/dev/null || exit 1\n${ask}`;
  const { status, stdout, stderr } = spawnSync("bash", ["--norc"], { input: script, cwd: directory, encoding: "utf8" });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout.split("\n").filter(Boolean);
}

for (const [words, expected] of [
  [
    ["portico", "se"],
    ["serve", "send"],
  ],
  [["portico", "car"], ["card"]],
  [
    ["portico", "card", ""],
    ["check", "preview", "convert", "update", "recall"],
  ],
  [
    ["portico", "apps", "s"],
    ["show", "submit", "scopes"],
  ],
  [["portico", "--he"], ["--help"]],
  [
    ["portico", "card", "check", "--"],
    ["--json", "--help"],
  ],
  [
    ["portico", "card", "preview", "card.json", "--theme", ""],
    ["light", "dark"],
  ],
  [["portico", "send", "--to", "group:g", "--re"], ["--reply-to"]],
  [["portico", "apps", "--st"], ["--status"]],
  [["portico", "apps", "--status", ""], APP_STATES],
  [["portico", "apps", "--status", "IN"], ["IN_REVIEW"]],
  [["portico", "apps", "--status", "=", "IN"], ["IN_REVIEW"]],
  [["portico", "apps", "--status", "="], APP_STATES],
  [["portico", "apps", "--status", "ACTIVE", "--ty"], ["--type"]],
  [["portico", "verify", "app_1", "card"], EVENT_TYPES.filter((type) => type.startsWith("card"))],
  [
    ["portico", "completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["portico", "send", "--to", ""], []],
] as const) {
  test(`bash completes ${words.join(" ")}`, () => {
    assert.deepEqual(offered(words), [...expected]);
  });
}

test("bash completes files where a file is expected, with spaces in their names", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("a card.json", "{}");
  const directory = new URL(".", `file://${encodeURI(await workspace.write("b.json", "{}"))}`).pathname;
  for (const words of [
    ["portico", "send", "--card", "a"],
    ["portico", "card", "check", "a"],
    ["portico", "card", "preview", "card.json", "--png", "a"],
    ["portico", "upload", "a"],
  ]) {
    assert.deepEqual(offered(words, directory), ["a card.json"]);
  }
});

test("each script has valid syntax, if its shell is installed", () => {
  for (const [shell, script] of Object.entries(scripts)) {
    const { error, status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (error === undefined) assert.deepEqual([status, stderr], [0, ""], shell);
    else assert.match(error.message, /ENOENT/);
  }
});

test("the scripts for zsh and fish name every command with each of its options", async () => {
  await using workspace = await createWorkspace();
  const { stdout } = await workspace.portico(["--help"]);
  const names = [...stdout.matchAll(/^ {2}(\w\S*(?: \w\S*)?) {2,}/gm)].map(([, name = ""]) => name);
  assert.ok(names.length >= 39);
  for (const name of names) {
    const help = await workspace.portico([...name.split(" "), "--help"]);
    const flags = [...help.stdout.matchAll(/^ {2}(?:-h, )?--([\w-]+)/gm)].map(([, flag = ""]) => flag);
    const zsh = functionOf(name);
    assert.ok(flags.includes("help"));
    for (const flag of flags) {
      assert.match(zsh, new RegExp(`'--${flag}=?\\[`));
      assert.match(
        scripts.fish ?? "",
        new RegExp(`^complete -c portico -n '__portico_place \\\\'${name}\\\\'' -l ${flag} `, "m"),
      );
    }
  }
});

/** The function of the zsh script that completes a command. */
function functionOf(name: string): string {
  const found = new RegExp(`^_portico_${name.replace(" ", "_")}\\(\\) \\{\\n.*?^\\}`, "ms").exec(scripts.zsh ?? "");
  assert.ok(found, name);
  return found[0];
}
