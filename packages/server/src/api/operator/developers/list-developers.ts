import { DirectoryDeveloperListSchema, DirectoryQuerySchema } from "@portico/protocol/schemas";
import { listDevelopers } from "../../../domain/directory/developer-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/developers. */
export const readDevelopers: ConsoleRoute<never, typeof DirectoryQuerySchema, typeof DirectoryDeveloperListSchema> = {
  method: "GET",
  url: "/operator/developers",
  summary: "List the developers",
  access: "operator",
  query: DirectoryQuerySchema,
  value: DirectoryDeveloperListSchema,
  async handle({ storage }, { query }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await listDevelopers(storage.lists, storage.dialect, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
