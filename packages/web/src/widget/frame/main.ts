import { ignoreSecondClicks } from "../../shared/app/second-clicks.ts";
import { FramePage } from "./frame.tsx";
import { awaitHost } from "./host.ts";
import "./look.css";

/** The page of the frame does nothing until the page around it has handed over its port. */
async function start(): Promise<void> {
  const root = document.getElementById("root");
  const appId = new URLSearchParams(location.search).get("app");
  if (root === null || appId === null) return;
  ignoreSecondClicks();
  new FramePage(await awaitHost(), appId, root);
}

void start();
