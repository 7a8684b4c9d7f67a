import { LIMITS } from "@portico/protocol/limits";
import { type DragEvent, useEffect, useMemo, useRef, useState } from "react";
import { randomId } from "../../calls/random-id.ts";
import { isPictureType } from "../../text/pictures.ts";

/** A file that is to be sent. */
export interface Attachment {
  key: string;
  file: File;
  isPicture: boolean;
  /** Shows a picture; null for other files. */
  preview: string | null;
}

/** Why the last files that were added are not all there. */
export type AttachmentRefusal = { kind: "tooLarge"; name: string } | { kind: "tooMany" };

/** The files that are to be sent, and what can be done with them. */
export interface Attachments {
  items: readonly Attachment[];
  refusal: AttachmentRefusal | null;
  add(files: readonly File[]): void;
  remove(key: string): void;
  clear(): void;
}

const NONE: readonly Attachment[] = [];

/** Files that are sent at once. */
export const MAX_ATTACHMENTS = 10;

/** The files that the member has attached, until they are sent, and what makes files that are dropped attached. */
export function useAttachments(initial: readonly File[]) {
  const [held, setItems] = useState<readonly Attachment[] | null>(null);
  const items = held ?? NONE;
  const [refusal, setRefusal] = useState<AttachmentRefusal | null>(null);
  const [isOver, setOver] = useState(false);
  const latest = useRef(items);
  useEffect(() => {
    latest.current = items;
  }, [items]);
  // The addresses of pictures are made where they are given back; a page that rested goes on with the files that it had.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was there at first
  useEffect(() => {
    setItems((before) => (before?.map(({ file }) => file) ?? initial).map(toAttachment));
    return () => latest.current.forEach(forget);
  }, []);

  const attachments = useMemo<Attachments>(
    () => ({
      items,
      refusal,
      add(files) {
        if (files.length === 0) return;
        const tooLarge = files.find(({ size }) => size > LIMITS.uploadFileBytes);
        const fitting = files.filter(({ size }) => size <= LIMITS.uploadFileBytes);
        const taken = fitting.slice(0, MAX_ATTACHMENTS - items.length);
        if (tooLarge !== undefined) setRefusal({ kind: "tooLarge", name: tooLarge.name });
        else setRefusal(taken.length < fitting.length ? { kind: "tooMany" } : null);
        setItems([...items, ...taken.map(toAttachment)]);
      },
      remove(key) {
        items.filter((item) => item.key === key).forEach(forget);
        setItems(items.filter((item) => item.key !== key));
        setRefusal(null);
      },
      clear() {
        items.forEach(forget);
        setItems([]);
        setRefusal(null);
      },
    }),
    [items, refusal],
  );

  return {
    attachments,
    /** Whether files are held over the element that has the handlers. */
    isOver,
    dropHandlers: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      },
      onDrop(event: DragEvent) {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(false);
        attachments.add([...event.dataTransfer.files]);
      },
    },
  };
}

function toAttachment(file: File): Attachment {
  const isPicture = isPictureType(file.type);
  return { key: randomId(), file, isPicture, preview: isPicture ? URL.createObjectURL(file) : null };
}

function forget({ preview }: Attachment): void {
  if (preview !== null) URL.revokeObjectURL(preview);
}
