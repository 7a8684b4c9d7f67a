import { LIMITS } from "@portico/protocol/limits";
import { useEffect, useRef, useState } from "react";

/** A file that is to be sent. */
export interface Attachment {
  key: string;
  file: File;
  isPicture: boolean;
  /** Shows a picture; null for other files. */
  preview: string | null;
}

const MAX_ATTACHMENTS = 10;
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

/** The files that the member has attached, until they are sent. */
export function useAttachments() {
  const [items, setItems] = useState<readonly Attachment[]>([]);
  const [refusal, setRefusal] = useState<{ name: string } | null>(null);
  const latest = useRef(items);
  latest.current = items;
  useEffect(() => () => latest.current.forEach(forget), []);

  return {
    items,
    /** The file that was too large, if the last that were added had one. */
    refusal,
    add(files: readonly File[]): void {
      if (files.length === 0) return;
      const tooLarge = files.find(({ size }) => size > LIMITS.uploadFileBytes);
      setRefusal(tooLarge === undefined ? null : { name: tooLarge.name });
      const fitting = files.filter(({ size }) => size <= LIMITS.uploadFileBytes);
      setItems([...items, ...fitting.map(toAttachment)].slice(0, MAX_ATTACHMENTS));
    },
    remove(key: string): void {
      items.filter((item) => item.key === key).forEach(forget);
      setItems(items.filter((item) => item.key !== key));
    },
    clear(): void {
      items.forEach(forget);
      setItems([]);
      setRefusal(null);
    },
  };
}

function toAttachment(file: File): Attachment {
  const isPicture = PICTURES.test(file.type);
  return { key: crypto.randomUUID(), file, isPicture, preview: isPicture ? URL.createObjectURL(file) : null };
}

function forget({ preview }: Attachment): void {
  if (preview !== null) URL.revokeObjectURL(preview);
}
