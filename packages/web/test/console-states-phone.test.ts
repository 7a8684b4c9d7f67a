import { describeStates, isOfFullApp, isOfOperators } from "./support/console-states.ts";

describeStates("phone", (scene) => !isOfFullApp(scene) && !isOfOperators(scene));
