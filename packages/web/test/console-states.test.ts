import { describeStates, isOfFullApp, isOfOperators } from "./support/console-states.ts";

describeStates((scene) => !isOfFullApp(scene) && !isOfOperators(scene));
