import { describeStates, isOfFullApp, isOfOperators } from "./support/console-states.ts";

describeStates("desktop", (scene) => !isOfFullApp(scene) && !isOfOperators(scene));
