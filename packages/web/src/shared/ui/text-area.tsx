import type { TextareaHTMLAttributes } from "react";
import { type EntryNotes, LabelledEntry } from "./labelled-entry.tsx";

/** A field for a text of some lines. */
export function TextArea({ label, hint, fault, ...field }: EntryNotes & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <LabelledEntry label={label} hint={hint} fault={fault}>
      {(ties) => <textarea {...ties} dir="auto" {...field} />}
    </LabelledEntry>
  );
}
