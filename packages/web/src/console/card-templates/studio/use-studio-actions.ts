import { isJsonObject } from "@portico/protocol/cards";
import { ConsoleRefusedError } from "@portico/protocol/client";
import { useRef, useState } from "react";
import { usePreferences } from "../../../shared/look/preferences.ts";
import { useWords } from "../../../shared/words/words.ts";
import { useToast } from "../../ui/toasts.tsx";
import { problemInWords } from "../study/problem-words.ts";
import type { Study } from "../study/study-card.ts";
import { PROBLEMS } from "../study/words.ts";
import { useSaveTemplate, useSendToMe } from "../template-queries.ts";
import type { Draft } from "./use-draft.ts";
import { STUDIO } from "./words.ts";

/** A template that was saved. */
export interface Saved {
  cardId: string;
  version: number;
}

/** Why the page itself did not do what was asked. */
interface Refusal {
  what: string;
  todo: string;
}

/** Saves and sends a draft; what the rules would refuse is not even tried. */
export function useStudioActions(appId: string, draft: Draft, onSaved?: (saved: Saved, isFirst: boolean) => void) {
  const say = useWords(STUDIO);
  const mend = useMend();
  const toast = useToast();
  const saving = useSaveTemplate(appId);
  const sending = useSendToMe(appId);
  const [refusal, setRefusal] = useState<Refusal>();
  // The way to the saved template's own address must not be asked about.
  const isSaved = useRef(false);

  function forget(): void {
    if (refusal !== undefined) setRefusal(undefined);
    if (saving.isError) saving.reset();
    if (sending.isError) sending.reset();
  }

  /** The card's text, if it may go; else says why not. */
  function checked(what: string, needsName: boolean): string | undefined {
    forget();
    const study = draft.studyNow();
    const todo = needsName && draft.name.trim() === "" ? say("needName") : mend(study);
    if (todo !== undefined) setRefusal({ what, todo });
    return todo === undefined && isJsonObject(study.parsed?.card) ? study.text : undefined;
  }

  function save({ isForced = false } = {}): void {
    const text = checked(say("refusedSave"), true);
    if (text === undefined || saving.isPending) return;
    const { cardId } = draft;
    const name = draft.name.trim();
    const version = isForced ? undefined : draft.version;
    saving.mutate(
      { cardId, version, name, text },
      {
        onSuccess(saved) {
          isSaved.current = true;
          draft.saved({ cardId: saved.cardId, version: saved.version, name: draft.name, text });
          toast(say("saved", { version: saved.version }));
          onSaved?.(saved, cardId === undefined);
          isSaved.current = false;
        },
      },
    );
  }

  function send(): void {
    const text = checked(say("refusedSend"), false);
    if (text === undefined || sending.isPending) return;
    sending.mutate(text, { onSuccess: ({ username }) => toast(say("sent", { username })) });
  }

  const isOverwriting = saving.error instanceof ConsoleRefusedError && saving.error.errorCode === "TEMPLATE_CHANGED";
  return {
    save,
    send,
    forget,
    refusal,
    isSaved,
    isOverwriting,
    isSaving: saving.isPending,
    isSending: sending.isPending,
    error: (isOverwriting ? null : saving.error) ?? sending.error,
  };
}

/** Says what must be mended first; undefined when nothing must. */
function useMend(): (study: Study) => string | undefined {
  const say = useWords(STUDIO);
  const sayProblem = useWords(PROBLEMS);
  const { locale } = usePreferences();
  return ({ problems, isValid }) => {
    const [first] = problems;
    if (isValid || first === undefined) return undefined;
    return say("mendFirst", { count: problems.length, first: problemInWords(first, sayProblem, locale).what });
  };
}
