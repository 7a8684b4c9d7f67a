import type { Group, GroupDetail } from "@portico/protocol";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { printList, tenantOfDirectory } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { DIRECTORY_ADVICE } from "../directory-advice.ts";
import { collect, numberFor } from "../option-kinds.ts";
import { columns, inOneLine, print, printableJson } from "../terminal.ts";

/** `portico groups`: lists the groups of a tenant, makes them, and changes who is in them. */
export const groups: Command = {
  name: "groups",
  summary: "List a tenant's groups, show one, make one, or change who is in it, for operators",
  usage: "portico groups [GROUP_ID] [--create NAME] [--add ACCOUNT...] [--remove USER_ID] [--tenant ID] [OPTIONS]",
  examples: [
    "portico groups",
    'portico groups g_team --create "Team" --add ann --add bob',
    "portico groups g_team --remove u_bob",
  ],
  advice: DIRECTORY_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .argument("[GROUP_ID]")
        .option("--tenant <ID>", "the tenant; needed where there are several")
        .option("--create <NAME>", "make a group with this name; its id is new without GROUP_ID")
        .option("--add <ACCOUNT>", "a member to be in it, by username or userId; may be repeated", collect)
        .option("--remove <USER_ID>", "a member to be in it no longer")
        .option("--keyword <TEXT>", "part of the id or of the name")
        .option("--page <N>", "a page of the list (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (groupId, values) => {
      const { create, add, remove, keyword, page } = values;
      const changes = [create, add, remove].filter((given) => given !== undefined);
      if (groupId === undefined && create === undefined && changes.length > 0)
        throw new UsageError("GROUP_ID is missing");
      if (remove !== undefined && changes.length > 1) throw new UsageError("--remove goes alone");
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const tenant = { tenantId: await tenantOfDirectory(api, values.tenant) };
      if (groupId === undefined && create === undefined) {
        return printList(api, await api.operator.listGroups({ query: { keyword, page } }, tenant), COLUMNS, values);
      }
      const group = await changed(api, groupId, values, tenant);
      print(...(values.json ? [printableJson(api.textOf(group))] : groupLines(group)));
    }),
};

/** Makes the group, or changes who is in it, as was said; returns it. */
async function changed(
  { operator }: ConsoleApi,
  groupId: string | undefined,
  { create, add, remove }: { create?: string | undefined; add?: string[] | undefined; remove?: string | undefined },
  tenant: { tenantId: string },
): Promise<GroupDetail> {
  if (create !== undefined) return operator.createGroup({ body: { name: create, members: add, groupId } }, tenant);
  const params = { groupId: groupId ?? "" };
  if (add !== undefined) return operator.addGroupMembers({ params, body: { members: add } }, tenant);
  if (remove !== undefined) return operator.removeGroupMember({ params: { ...params, userId: remove } }, tenant);
  return operator.getGroup({ params }, tenant);
}

const COLUMNS = {
  none: "no groups",
  headings: ["group", "members", "name"],
  rowOf: ({ groupId, memberCount, name }: Group) => [groupId, String(memberCount), name],
};

function groupLines({ groupId, name, members }: GroupDetail): string[] {
  const rows = [
    ["group", groupId],
    ["name", name],
    ["members", members.map(({ username }) => username).join(", ") || "-"],
  ] as const;
  return columns(rows).map(inOneLine);
}
