import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { DirectoryPage } from "../directory/directory-page.tsx";
import { DeveloperDialog } from "./developer-dialog.tsx";
import { DevelopersTable } from "./developers-table.tsx";
import { DEVELOPERS } from "./words.ts";

/** Who may sign in to the console, and who of them operates the platform. */
export function DevelopersPage() {
  const say = useWords(DEVELOPERS);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <DirectoryPage
        name="developers"
        lead={say("lead")}
        searchLabel={say("search")}
        list={(query, signal) => operatorApi.listDevelopers({ query }, { signal })}
        actions={
          <Button type="primary" onClick={() => setCreating(true)}>
            {say("newDeveloper")}
          </Button>
        }
      >
        {(developers, parts) => <DevelopersTable developers={developers} {...parts} />}
      </DirectoryPage>
      {isCreating && <DeveloperDialog onDone={() => setCreating(false)} />}
    </>
  );
}
