import { useDeferredValue, useMemo, useRef, useState } from "react";
import { type Study, studyCard } from "../study/study-card.ts";

/** What a studio begins with; without `cardId` it is a new template. */
export interface Start {
  cardId?: string;
  version?: number;
  name: string;
  text: string;
}

/** A template as it is being written. */
export interface Draft {
  name: string;
  text: string;
  /** Of a text that may be some keystrokes old; {@link Draft.studyNow} is of this one. */
  study: Study;
  /** The last text that was JSON, for the preview. */
  lastParsed: Study["parsed"];
  cardId: string | undefined;
  version: number | undefined;
  isDirty: boolean;
  setName: (name: string) => void;
  setText: (text: string) => void;
  studyNow: () => Study;
  /** Takes note of what has been saved. */
  saved: (saved: Required<Start>) => void;
}

/** Keeps a template's name and text, and what is known of them. */
export function useDraft(start: Start): Draft {
  const [base, setBase] = useState(start);
  const [name, setName] = useState(start.name);
  const [text, setText] = useState(start.text);
  const settled = useDeferredValue(text);
  const study = useMemo(() => studyCard(settled), [settled]);
  const lastParsed = useRef<Study["parsed"]>(undefined);
  if (study.parsed !== undefined) lastParsed.current = study.parsed;
  return {
    name,
    text,
    study,
    lastParsed: lastParsed.current,
    cardId: base.cardId,
    version: base.version,
    isDirty: name !== base.name || text !== base.text,
    setName,
    setText,
    studyNow: () => (study.text === text ? study : studyCard(text)),
    saved: setBase,
  };
}
