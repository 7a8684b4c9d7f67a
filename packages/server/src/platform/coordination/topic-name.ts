import type { Topic } from "./coordination.ts";

/** Separates kind and key; names of channels for every process do not contain it. */
const SEPARATOR = "/";

/** The name of a topic's channel, without the prefix of the deployment. */
export function topicName({ kind, key }: Topic): string {
  return kind + SEPARATOR + key;
}

/** The topic of a channel's name; null for a channel of every process. */
export function topicOf(name: string): Topic | null {
  const end = name.indexOf(SEPARATOR);
  return end < 0 ? null : { kind: name.slice(0, end), key: name.slice(end + SEPARATOR.length) };
}
