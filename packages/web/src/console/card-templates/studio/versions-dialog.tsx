import { Button } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useApp } from "../../app/app-context.ts";
import { Modal } from "../../ui/modal.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { formatText } from "../study/format-card.ts";
import { type TemplateVersion, useVersion, useVersions } from "../template-queries.ts";
import { TEMPLATES } from "../words.ts";
import styles from "./versions-dialog.module.css";
import { STUDIO } from "./words.ts";

const Difference = lazy(async () => ({ default: (await import("./difference.tsx")).Difference }));

/** The versions of a template, each compared with the text in the editor. */
export function VersionsDialog({
  cardId,
  text,
  isOwner,
  onClose,
  onRestore,
}: {
  cardId: string;
  text: string;
  isOwner: boolean;
  onClose: () => void;
  onRestore: (text: string) => void;
}) {
  const say = useWords(STUDIO);
  const { app } = useApp();
  const versions = useVersions(app.appId, cardId);
  const [chosen, setChosen] = useState<number>();
  const version = chosen ?? versions.data?.[0]?.version;
  return (
    <Modal title={say("versions")} width={980} footer={null} onCancel={onClose} className={styles.dialog}>
      <p className={styles.lead}>{say("versionsLead")}</p>
      <QueryView query={versions}>
        {(all) => (
          <div className={styles.columns}>
            <ul className={styles.versions} aria-label={say("versions")}>
              {all.map((each, index) => (
                <li key={each.version}>
                  <button
                    type="button"
                    className={styles.version}
                    aria-pressed={each.version === version}
                    onClick={() => setChosen(each.version)}
                  >
                    <VersionLabel version={each} isCurrent={index === 0} />
                  </button>
                </li>
              ))}
            </ul>
            {version !== undefined && (
              <OneVersion key={version} {...{ cardId, version, text, isOwner, onRestore }} appId={app.appId} />
            )}
          </div>
        )}
      </QueryView>
    </Modal>
  );
}

function VersionLabel({
  version: { version, savedAt, savedBy },
  isCurrent,
}: {
  version: TemplateVersion;
  isCurrent: boolean;
}) {
  const say = useWords(STUDIO);
  const sayTemplates = useWords(TEMPLATES);
  return (
    <>
      <strong>
        {say("versionOf", { version })}
        {isCurrent && ` · ${say("current")}`}
      </strong>
      <span>
        {savedAt === null ? sayTemplates("provisioned") : <TimeAgo at={savedAt} />}
        {savedBy !== null && ` · ${savedBy.name}`}
      </span>
    </>
  );
}

function OneVersion({
  appId,
  cardId,
  version,
  text,
  isOwner,
  onRestore,
}: {
  appId: string;
  cardId: string;
  version: number;
  text: string;
  isOwner: boolean;
  onRestore: (text: string) => void;
}) {
  const say = useWords(STUDIO);
  const query = useVersion(appId, cardId, version);
  const saved = query.data?.text;
  const older = useMemo(() => (saved === undefined ? "" : formatText(saved)), [saved]);
  return (
    <div className={styles.difference}>
      <QueryView query={query}>
        {() => (
          <>
            <div className={styles.head}>
              <span>{older === text ? say("same") : say("compare")}</span>
              <Button disabled={!isOwner || older === text} onClick={() => onRestore(older)}>
                {say("restore")}
              </Button>
            </div>
            <Suspense fallback={<Waiting />}>
              <Difference before={older} after={text} label={`${say("versionOf", { version })}, ${say("compare")}`} />
            </Suspense>
          </>
        )}
      </QueryView>
    </div>
  );
}
