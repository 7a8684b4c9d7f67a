import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

/** What the modules of the page have; their types are those of a browser, which this project lacks. */
interface Modules {
  qrTokenInAddress(): string | null;
  leaveQrAddress(): void;
  addressOf(oidc: { startUrl: string; name: string }): string;
  keepFragment(): void;
}

const SOURCES = ["messenger/shell/qr-token.ts", "shared/sign-in/provider-address.ts"];
const modules = await Promise.all(SOURCES.map((path) => import(new URL(`../src/${path}`, import.meta.url).href)));
const { qrTokenInAddress, leaveQrAddress, addressOf, keepFragment }: Modules = Object.assign({}, ...modules);

const OIDC = { startUrl: "https://open.example/start?tenantId=t_acme", name: "Acme ID" };

/** The browser's parts that are read here. */
function open(address: string): void {
  Object.assign(globalThis, { location: new URL(address) });
}

describe("the way to a provider and back", () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    const replaceState = (_: unknown, __: string, path: string) => open(`https://open.example${path}`);
    for (const [name, value] of Object.entries({ sessionStorage, history: { replaceState } })) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  });

  it("leaves the code of a picture out of the address, and has it again on the way back, once", () => {
    open("https://open.example/qr/login?a=b#token=abc");
    keepFragment();
    const there = new URL(addressOf(OIDC));
    assert.equal(there.searchParams.get("returnTo"), "/qr/login?a=b");
    assert.ok(!there.href.includes("abc"));
    open("https://open.example/qr/login?a=b");
    assert.equal(qrTokenInAddress(), "abc");
    leaveQrAddress();
    open("https://open.example/qr/login");
    assert.equal(qrTokenInAddress(), null);
  });

  it("keeps a fragment for its own page alone, and prefers the page's own", () => {
    open("https://open.example/qr/login#token=abc");
    keepFragment();
    open("https://open.example/messenger/");
    assert.equal(qrTokenInAddress(), null);
    open("https://open.example/qr/login#token=new");
    assert.equal(qrTokenInAddress(), "new");
  });
});
