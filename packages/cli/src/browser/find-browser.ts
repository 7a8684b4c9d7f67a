import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { FailureError } from "../command.ts";

/** Names a browser of one's own choice. */
const CHOSEN = "PORTICO_BROWSER";

const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
] as const;

/** Where the installers of these systems put it, which is not in PATH. */
const MAC_APPS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];
const WINDOWS_PROGRAMS = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
const WINDOWS_FOLDERS = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"];

/**
 * The program of a Chromium, Chrome or Edge on this machine: the one that PORTICO_BROWSER names, else the first that is
 * found.
 *
 * @throws FailureError when there is none.
 */
export async function findBrowser(): Promise<string> {
  const chosen = process.env[CHOSEN] || undefined;
  const places = chosen === undefined ? usualPlaces() : isPath(chosen) ? [chosen] : inPath(chosen);
  for (const place of places) if (await isProgram(place)) return place;
  throw new FailureError(
    chosen === undefined
      ? `no Chromium or Chrome on this machine: install one (chromium or google-chrome), or set ${CHOSEN} to the path of its program`
      : `${CHOSEN} is ${chosen}, which is no program on this machine`,
  );
}

function usualPlaces(): string[] {
  if (process.platform === "darwin") return [...MAC_APPS, ...NAMES.flatMap(inPath)];
  if (process.platform !== "win32") return NAMES.flatMap(inPath);
  const folders = WINDOWS_FOLDERS.flatMap((name) => process.env[name] ?? []);
  return WINDOWS_PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program)));
}

/** The places of a program in PATH. A relative folder there would be one of whoever wrote the current directory. */
function inPath(name: string): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name));
}

function isPath(text: string): boolean {
  return text.includes("/") || text.includes("\\");
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
