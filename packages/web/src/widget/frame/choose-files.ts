import { LIMITS } from "@portico/protocol/limits";
import { MAX_WAITING } from "./outbox.ts";

/** Why a file is left out. */
export type LeftOut = "empty" | "tooLarge" | "tooManyFiles";

/** What of the files that somebody wants to attach is taken, and why the others are not. */
export interface Choice {
  files: File[];
  leftOut: { name: string; why: LeftOut }[];
}

/** The most files of one message; a text can go with them. */
const MOST = MAX_WAITING - 1;

/** Adds files to those that are attached already. */
export function chooseFiles(attached: readonly File[], given: readonly File[]): Choice {
  const choice: Choice = { files: [...attached], leftOut: [] };
  for (const file of given) {
    const why = whyNot(file, choice.files.length);
    if (why === null) choice.files.push(file);
    else choice.leftOut.push({ name: file.name, why });
  }
  return choice;
}

function whyNot({ size }: File, attached: number): LeftOut | null {
  if (size === 0) return "empty";
  if (size > LIMITS.uploadFileBytes) return "tooLarge";
  return attached >= MOST ? "tooManyFiles" : null;
}
