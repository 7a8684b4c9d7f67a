import type { TextareaHTMLAttributes } from "react";
import { type EntryNotes, LabelledEntry } from "./labelled-entry.tsx";
import { useTooLong } from "./use-too-long.ts";

/** A field for a text of some lines. */
export function TextArea({
  label,
  hint,
  fault,
  mostLength,
  ...field
}: EntryNotes & { value: string; mostLength: number } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const tooLong = useTooLong()(field.value, mostLength);
  return (
    <LabelledEntry label={label} hint={hint} fault={tooLong ?? fault}>
      {(ties) => <textarea {...ties} dir="auto" {...field} />}
    </LabelledEntry>
  );
}
