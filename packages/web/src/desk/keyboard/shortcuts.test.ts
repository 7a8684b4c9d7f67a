import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SHORTCUTS, type Shortcut, shortcutOf } from "./shortcuts.ts";

const pressed = (code: string, more: Partial<Record<"altKey" | "ctrlKey" | "metaKey" | "shiftKey", boolean>> = {}) => ({
  code,
  altKey: true,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
});
const NAMES = Object.keys(SHORTCUTS) as Shortcut[];

describe("the desk's shortcuts", () => {
  it("are Alt and a key, wherever one is", () => {
    for (const isField of [false, true]) {
      for (const name of NAMES) {
        assert.equal(shortcutOf(pressed(SHORTCUTS[name].code), { isMac: false, isField }), name);
      }
    }
    assert.equal(shortcutOf(pressed("KeyZ"), { isMac: false, isField: false }), null);
    assert.equal(shortcutOf(pressed("KeyA", { altKey: false }), { isMac: false, isField: false }), null);
  });

  it("take no letter from who writes on a Mac, unless Ctrl is held too", () => {
    const inField = { isMac: true, isField: true };
    for (const name of NAMES) {
      const { code } = SHORTCUTS[name];
      assert.equal(shortcutOf(pressed(code), inField), code.startsWith("Arrow") ? name : null);
      assert.equal(shortcutOf(pressed(code, { ctrlKey: true }), inField), name);
      assert.equal(shortcutOf(pressed(code), { isMac: true, isField: false }), name);
    }
  });

  it("take nothing that AltGr types", () => {
    for (const name of NAMES) {
      const typed = pressed(SHORTCUTS[name].code, { ctrlKey: true });
      assert.equal(shortcutOf(typed, { isMac: false, isField: true }), null);
    }
  });
});
