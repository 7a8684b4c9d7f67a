import { describeStates, isOfFullApp } from "./support/console-states.ts";

describeStates("phone", (scene) => !isOfFullApp(scene));
