import type { Scenario } from "../scenario.ts";
import { collidingKeys } from "./colliding-keys.ts";
import { deepJson } from "./deep-json.ts";
import { fullDisk } from "./full-disk.ts";
import { hoardingVisitor } from "./hoarding-visitor.ts";
import { hostileReceivers } from "./hostile-receivers.ts";
import { idleConnections } from "./idle-connections.ts";
import { installations } from "./installations.ts";
import { mentions } from "./mentions.ts";
import { messagePages } from "./message-pages.ts";
import { resumeFlood } from "./resume-flood.ts";
import { signInFlood } from "./sign-in-flood.ts";
import { slowHeads } from "./slow-heads.ts";
import { stalledUploads } from "./stalled-uploads.ts";
import { unfinishedBodies } from "./unfinished-bodies.ts";
import { unsignedFlood } from "./unsigned-flood.ts";
import { visitorSearch } from "./visitor-search.ts";
import { wrongSignatures } from "./wrong-signatures.ts";

/** All attacks, in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [
  wrongSignatures,
  unsignedFlood,
  slowHeads,
  idleConnections,
  resumeFlood,
  stalledUploads,
  signInFlood,
  unfinishedBodies,
  collidingKeys,
  deepJson,
  hostileReceivers,
  visitorSearch,
  mentions,
  messagePages,
  installations,
  hoardingVisitor,
  fullDisk,
];
