import { CARDS } from "./cards.ts";
import { CONSOLE } from "./console.ts";
import { DESK_SESSIONS } from "./desk.ts";
import type { Load } from "./load.ts";
import { POSTS } from "./posts.ts";
import { quotaLoad } from "./quota.ts";
import { SENDS } from "./sends.ts";
import { UPLOADS } from "./uploads.ts";

/** The loads of a run. */
export function allLoads(): readonly Load[] {
  return [SENDS, CARDS, UPLOADS, POSTS, DESK_SESSIONS, quotaLoad(), CONSOLE];
}
