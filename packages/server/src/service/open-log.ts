import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import type { Config } from "../platform/config/config.ts";

/** The log on standard error: JSON lines for machines, or lines for people. Written at once, so that no crash loses one. */
export function openLog({ logLevel: level, log: { format } }: Pick<Config, "log" | "logLevel">): Logger {
  if (format === "json") return pino({ level }, pino.destination({ dest: 2, sync: true }));
  const lines = pretty({
    destination: 2,
    sync: true,
    colorize: process.stderr.isTTY,
    translateTime: "SYS:yyyy-mm-dd HH:MM:ss.l",
    ignore: "pid,hostname",
  });
  return pino({ level }, lines);
}
