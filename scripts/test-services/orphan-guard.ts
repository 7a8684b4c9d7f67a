import { spawn } from "node:child_process";

const SCRIPT = `
read -r _
if [ -n "$2" ]; then
  kill -INT "$2"
  tries=0
  while kill -0 "$2" && [ "$tries" -lt 50 ]; do sleep 0.2; tries=$((tries + 1)); done
  kill -KILL "$2"
fi
rm -rf "$1"
`;

/**
 * Makes sure that `dir` is removed, after the process `pid` (if given) is stopped, even if this process dies. A small
 * shell waits for the end of its input, which comes however this process ends. Returns a function that cancels the
 * guard.
 */
export function guardAgainstOrphans(dir: string, pid?: number): () => void {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "sh", dir, pid === undefined ? "" : String(pid)], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without the guard everything still works, but a killed run leaves files behind.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  return () => {
    shell.kill("SIGKILL");
    shell.once("exit", () => shell.stdin.destroy());
  };
}
