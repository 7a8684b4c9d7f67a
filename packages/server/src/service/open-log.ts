import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import type { Config } from "../platform/config/config.ts";

/** Names the active trace, if there is one, in each line. */
type ActiveTrace = () => object | null;

/** The log on standard error: JSON lines for machines, or lines for people. Written at once, so that no crash loses one. */
export function openLog(
  { logLevel: level, log: { format } }: Pick<Config, "log" | "logLevel">,
  activeTrace?: ActiveTrace,
): Logger {
  const options = { level, ...(activeTrace && { mixin: () => activeTrace() ?? {} }) };
  if (format === "json") return pino(options, pino.destination({ dest: 2, sync: true }));
  const lines = pretty({
    destination: 2,
    sync: true,
    colorize: process.stderr.isTTY,
    translateTime: "SYS:yyyy-mm-dd HH:MM:ss.l",
    ignore: "pid,hostname",
  });
  return pino(options, lines);
}
