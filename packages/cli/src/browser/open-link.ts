import { spawn } from "node:child_process";
import { once } from "node:events";
import { FailureError } from "../command.ts";
import { codeOf } from "../input.ts";

/**
 * Opens a link in the user's browser, without a shell.
 *
 * @throws FailureError when there is no program that does it.
 */
export async function openLink(url: string): Promise<void> {
  const [program, ...before] = opener();
  const child = spawn(program, [...before, url], { stdio: "ignore", detached: true });
  try {
    await once(child, "spawn");
  } catch (error) {
    throw new FailureError(`cannot open a browser by ${program}: ${codeOf(error)}; open the link yourself`);
  }
  // It may be the browser itself, which goes on.
  child.unref();
}

function opener(): readonly [program: string, ...args: string[]] {
  if (process.platform === "darwin") return ["open"];
  // `start` is a word of the shell.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
