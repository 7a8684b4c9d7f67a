import { DESK_BOUNDS } from "@portico/protocol/customer";
import type { DeskAgentAnswer } from "@portico/protocol/schemas";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import { excessOf } from "../../shared/text/text-length.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { TextArea } from "../../shared/ui/text-area.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import type { Conversation } from "../live/conversation.ts";
import { useAgents } from "../live/use-agents.ts";
import { useDesk } from "../live/use-desk.ts";
import { DESK } from "../words.ts";
import styles from "./transfer-dialog.module.css";

/** Gives a conversation to another agent, with a note that only agents see. */
export function TransferDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const say = useWords(DESK);
  const sayShared = useWords(SHARED);
  const { me, actions } = useDesk();
  const agents = useAgents(conversation.appId);
  const { refetch } = agents;
  // How many conversations each has is told by nothing but the list.
  useEffect(() => void refetch(), [refetch]);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const others = agents.data?.filter(({ agentId }) => agentId !== me.username);
  const chosen = others?.find(({ agentId }) => agentId === chosenId);
  const transfer = useMutation({
    mutationFn: (agentId: string) => actions.transfer(conversation.id, agentId, note.trim()),
    onSuccess: onClose,
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const isShort = excessOf(note.trim(), DESK_BOUNDS.noteLength) === 0;
    if (chosen !== undefined && isShort && !transfer.isPending) transfer.mutate(chosen.agentId);
  }

  return (
    <Dialog title={say("transferTitle")} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        {agents.isError && <ErrorNotice error={agents.error} onRetry={() => refetch()} />}
        {agents.isPending && <LogSkeleton />}
        {others?.length === 0 && <EmptyState title={say("noAgents")} hint={say("noAgentsHint")} />}
        {others !== undefined && others.length > 0 && (
          <div role="radiogroup" aria-label={say("transferTo")} className={styles.agents}>
            {others.map((agent) => (
              <AgentChoice
                key={agent.agentId}
                agent={agent}
                isChosen={agent.agentId === chosenId}
                onChoose={() => setChosenId(agent.agentId)}
              />
            ))}
          </div>
        )}
        {chosen !== undefined && !chosen.online && (
          <Notice tone="warning" title={say("agentAway", { name: chosen.agentName })} />
        )}
        <TextArea
          data-first-focus
          label={say("note")}
          hint={say("noteHint")}
          mostLength={DESK_BOUNDS.noteLength}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        {transfer.isError && <ErrorNotice error={transfer.error} />}
        <div className={styles.actions}>
          <Button onClick={onClose}>{sayShared("cancel")}</Button>
          <Button kind="primary" type="submit" disabled={chosen === undefined} isBusy={transfer.isPending}>
            {say("transfer")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function AgentChoice({
  agent,
  isChosen,
  onChoose,
}: {
  agent: DeskAgentAnswer;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const say = useWords(DESK);
  const id = useId();
  const { agentName, status, online, activeSessions, maxSessions } = agent;
  const state = online ? "agentOnline" : status === "BUSY" ? "agentBusy" : "agentOffline";
  return (
    <label className={styles.agent}>
      <input
        type="radio"
        name="agent"
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-state`}
        checked={isChosen}
        onChange={onChoose}
      />
      <Avatar name={agentName} size={32} />
      <span className={styles.words}>
        <span id={`${id}-name`} className={styles.name} dir="auto">
          {agentName}
        </span>
        <span id={`${id}-state`} className={styles.state}>
          {say(state)} · {say("load", { active: activeSessions, most: maxSessions })}
        </span>
      </span>
    </label>
  );
}
