import lines from "../../shared/talk/log/log-lines.module.css";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";

/** Begins another session of the same visitor. */
export function SessionLine({ at }: { at: number }) {
  const say = useWords(DESK);
  const format = useFormat();
  return <div className={lines.day}>{say("conversationOf", { time: `${format.date(at)}, ${format.time(at)}` })}</div>;
}
