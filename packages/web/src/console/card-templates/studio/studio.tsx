import { LoadingOutlined } from "@ant-design/icons-svg";
import type { EditorView } from "@codemirror/view";
import { Button, Input } from "antd";
import { useId, useRef, useState } from "react";
import { usePreferences } from "../../../shared/look/preferences.ts";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { Icon } from "../../../shared/ui/icon.tsx";
import { Notice } from "../../../shared/ui/notice.tsx";
import { Page } from "../../../shared/ui/page.tsx";
import { Pill } from "../../../shared/ui/pill.tsx";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { useApp } from "../../app/app-context.ts";
import { CardEditor } from "../editor/card-editor.tsx";
import { componentIn } from "../editor/components.ts";
import { Palette } from "../editor/palette.tsx";
import { EDITOR } from "../editor/words.ts";
import { exampleIn } from "../gallery/examples.ts";
import { GalleryDialog } from "../gallery/gallery-dialog.tsx";
import { formatCard } from "../study/format-card.ts";
import { TEMPLATES } from "../words.ts";
import { ConversionNotice } from "./conversion-notice.tsx";
import { useEditing } from "./editing.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { Preview } from "./preview.tsx";
import { ProblemList } from "./problem-list.tsx";
import styles from "./studio.module.css";
import { type Start, useDraft } from "./use-draft.ts";
import { type Saved, useStudioActions } from "./use-studio-actions.ts";
import { VersionsDialog } from "./versions-dialog.tsx";
import { STUDIO } from "./words.ts";

/** Where a card is written beside what it looks like. */
export function Studio({ start, onSaved }: { start: Start; onSaved?: (saved: Saved, isFirst: boolean) => void }) {
  const say = useWords(STUDIO);
  const sayShared = useWords(SHARED);
  const sayEditor = useWords(EDITOR);
  const sayTemplates = useWords(TEMPLATES);
  const { locale } = usePreferences();
  const { app, isOwner } = useApp();
  const draft = useDraft(start);
  const nameId = useId();
  const view = useRef<EditorView>(null);
  const editing = useEditing(view);
  const actions = useStudioActions(app.appId, draft, onSaved);
  const [dialog, setDialog] = useState<"examples" | "versions">();
  const { cardId, version, study } = draft;
  return (
    <div className={styles.studio}>
      <Page
        title={draft.name.trim() || say("newTitle")}
        lead={<StudioState cardId={cardId} version={version} isDirty={draft.isDirty} />}
        actions={
          <>
            <Button onClick={() => setDialog("examples")}>{say("examples")}</Button>
            {cardId !== undefined && <Button onClick={() => setDialog("versions")}>{say("versions")}</Button>}
            <Button disabled={!isOwner} loading={actions.isSending && BUSY} onClick={actions.send}>
              {say("sendToMe")}
            </Button>
            <Button
              type="primary"
              disabled={!isOwner}
              loading={actions.isSaving && BUSY}
              onClick={() => actions.save()}
            >
              {sayShared("save")}
            </Button>
          </>
        }
      >
        {!isOwner && <Notice tone="info" title={say("viewOnly")} />}
        {actions.refusal !== undefined && (
          <Notice tone="error" role="alert" title={actions.refusal.what}>
            <p>{actions.refusal.todo}</p>
          </Notice>
        )}
        {actions.isOverwriting && (
          <Notice
            tone="warning"
            role="alert"
            title={say("changedMeanwhile")}
            action={<Button onClick={() => actions.save({ isForced: true })}>{say("saveOver")}</Button>}
          >
            <p>{say("changedMeanwhileDo")}</p>
          </Notice>
        )}
        {actions.error !== null && <ErrorNotice error={actions.error} />}
        <div className={styles.columns}>
          <div className={styles.writing}>
            <div className={styles.name}>
              <label htmlFor={nameId}>{say("templateName")}</label>
              <Input
                id={nameId}
                value={draft.name}
                maxLength={NAME_MAX}
                disabled={!isOwner}
                onChange={({ target }) => draft.setName(target.value)}
              />
            </div>
            <div className={styles.tools}>
              <Palette onInsert={(entry) => editing.insert(componentIn(locale, entry))} />
              <Button size="small" type="text" disabled={study.parsed === undefined} onClick={editing.format}>
                {sayEditor("format")}
              </Button>
            </div>
            {editing.conversion !== undefined && <ConversionNotice conversion={editing.conversion} editing={editing} />}
            <CardEditor
              doc={draft.text}
              study={study}
              isReadOnly={!isOwner}
              view={view}
              events={{
                onChange(text) {
                  draft.setText(text);
                  actions.forget();
                },
                onPaste: editing.paste,
                onSave: () => actions.save(),
              }}
            />
            {editing.canConvert(study) && (
              <div>
                <Button onClick={editing.convert}>{say("convert")}</Button>
              </div>
            )}
            <ProblemList study={study} onOpen={editing.show} />
          </div>
          <Preview parsed={draft.lastParsed} isStale={study.parsed === undefined} />
        </div>
      </Page>
      <LeaveGuard isDirty={draft.isDirty && isOwner} version={version} isSaved={actions.isSaved} />
      {dialog === "examples" && (
        <GalleryDialog
          onClose={() => setDialog(undefined)}
          onChoose={(example) => {
            setDialog(undefined);
            editing.replace(formatCard(exampleIn(locale, example)));
            if (draft.name.trim() === "") draft.setName(sayTemplates(example.id));
          }}
        />
      )}
      {dialog === "versions" && cardId !== undefined && (
        <VersionsDialog
          cardId={cardId}
          text={draft.text}
          isOwner={isOwner}
          onClose={() => setDialog(undefined)}
          onRestore={(restored) => {
            setDialog(undefined);
            editing.replace(restored);
          }}
        />
      )}
    </div>
  );
}

/** A button keeps its name while it works. */
const BUSY = { icon: <Icon of={LoadingOutlined} spins /> };

/** The longest name that the service takes. */
const NAME_MAX = 128;

function StudioState({
  cardId,
  version,
  isDirty,
}: {
  cardId: string | undefined;
  version: number | undefined;
  isDirty: boolean;
}) {
  const say = useWords(STUDIO);
  return (
    <span className={styles.state}>
      {cardId !== undefined && <code>{cardId}</code>}
      {version !== undefined && <Pill>{say("savedAs", { version })}</Pill>}
      {(isDirty || cardId === undefined) && <Pill tone="warn">{say("unsaved")}</Pill>}
    </span>
  );
}
