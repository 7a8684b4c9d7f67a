import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNow } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import styles from "./grace-left.module.css";
import { CREDENTIALS } from "./words.ts";

const SECOND = 1_000;

/** How long an old credential still works, counted down. `until` in epoch milliseconds. */
export function GraceLeft({ until }: { until: number }) {
  const say = useWords(CREDENTIALS);
  const client = useQueryClient();
  const { appId } = useApp().app;
  const left = Math.max(Math.ceil((until - useNow(SECOND)) / SECOND), 0);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ queryKey: [...appKey(appId), "credentials"] });
  }, [isOver, client, appId]);
  return (
    <span className={styles.left} role="timer">
      {say("left", { time: clock(left) })}
    </span>
  );
}

/** 23:59:08 */
function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
