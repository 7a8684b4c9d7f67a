import { useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import { EraseDialog } from "../persons/erase-dialog.tsx";
import { ErasedCounts } from "../persons/erased-counts.tsx";
import { ExportDataDialog } from "../persons/export-data-dialog.tsx";
import { PersonalData } from "../persons/personal-data.tsx";
import persons from "../persons/persons.module.css";
import { PERSONS } from "../persons/words.ts";
import { VISITORS } from "./words.ts";

/** Begins the thirdUserId of a visitor who was erased (docs/contract/console.md#a-visitors-data). */
const OF_ERASED = "erased:";

/** Whether a visitor has been erased. */
export function isErased({ thirdUserId }: { thirdUserId: string }): boolean {
  return thirdUserId.startsWith(OF_ERASED);
}

/** What is rarely done with a visitor: with all that is stored about them. */
export function VisitorDetails({ visitor }: { visitor: { visitorId: string; thirdUserId: string; nickname: string } }) {
  const say = useWords(VISITORS);
  const sayPersons = useWords(PERSONS);
  const { appId } = useApp().app;
  const { visitorId } = visitor;
  const name = visitor.nickname || visitorId;
  const params = { appId, visitorId };
  const client = useQueryClient();
  if (isErased(visitor)) return <p className={persons.opened}>{sayPersons("nothingLeft")}</p>;
  return (
    <div className={persons.opened}>
      <PersonalData
        lead={say("dataLead")}
        exporting={(onDone) => (
          <ExportDataDialog
            name={name}
            fileName={`visitor-${visitorId}`}
            load={(cursor) => consoleApi.exportVisitor({ params, body: { cursor } })}
            onDone={onDone}
          />
        )}
        erasing={(onDone) => (
          <EraseDialog
            name={name}
            what={[say("eraseSignIns"), say("eraseMessages"), say("eraseName")]}
            erase={() => consoleApi.eraseVisitor({ params })}
            report={(erased) => (
              <div className={persons.report}>
                <p role="status">{sayPersons("nothingLeft")}</p>
                <ErasedCounts counts={erased} />
              </div>
            )}
            onDone={() => {
              onDone();
              // The list shows them as they are now.
              void client.invalidateQueries({ queryKey: appKey(appId) });
            }}
          />
        )}
      />
    </div>
  );
}
