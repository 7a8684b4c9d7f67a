import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { IdentityList } from "../persons/identity-list.tsx";
import { useToast } from "../ui/toasts.tsx";
import { SECURITY } from "./words.ts";

const KEY = ["identities"];

/** Who one is to the providers with which one signs in; nothing for who signs in without. */
export function IdentitiesSection() {
  const say = useWords(SECURITY);
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => consoleApi.listOwnIdentities({}, { signal }) });
  const unlink = useMutation({
    mutationFn: ({ identityId }: { identityId: string }) => consoleApi.unlinkOwnIdentity({ params: { identityId } }),
    onSuccess: () => toast(say("wasUnlinked")),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={say("identities")} lead={say("identitiesLead")}>
      <IdentityList identities={data.items} what={say("unlinkWhat")} unlink={unlink} />
    </Section>
  );
}
