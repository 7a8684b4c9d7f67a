import assert from "node:assert/strict";
import { test } from "node:test";
import type * as protocol from "@portico/protocol";
import type * as sdk from "@portico/sdk";

/** True when the types are the same, optional and read-only members included. */
type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;

type Flat<T> = T extends readonly (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { [Name in keyof T]: Flat<T[Name]> }
    : T;

/** Does not compile when a type that the SDK writes out for its readers is no longer that of the contract. */
const SAME: {
  SentMessage: Same<sdk.SentMessage, protocol.SentMessage>;
  UploadedFile: Same<sdk.UploadedFile, protocol.UploadedFile>;
  InstallationsQuery: Same<Required<sdk.InstallationsQuery>, Required<protocol.InstallationsQuery>>;
  Installation: Same<sdk.Installation, protocol.Installation>;
  InstallationPage: Same<sdk.InstallationPage, protocol.InstallationPage>;
  AppInfo: Same<sdk.AppInfo, protocol.AppInfo>;
  MiniappSession: Same<sdk.MiniappSession, protocol.MiniappSession>;
  AuthenticatedVisitor: Same<sdk.AuthenticatedVisitor, protocol.AuthenticatedVisitor>;
  VisitorInfo: Same<sdk.VisitorInfo, protocol.VisitorInfo>;
  SentCustomerMessage: Same<sdk.SentCustomerMessage, protocol.SentCustomerMessage>;
  CustomerMessageList: Same<sdk.CustomerMessageList, protocol.CustomerMessageList>;
  CreatedSession: Same<sdk.CreatedSession, protocol.CreatedSession>;
  ClosedSession: Same<sdk.ClosedSession, protocol.ClosedSession>;
  AssignedSession: Same<sdk.AssignedSession, protocol.AssignedSession>;
  AgentStatusAnswer: Same<sdk.AgentStatusAnswer, protocol.AgentStatusAnswer>;
} = {
  SentMessage: true,
  UploadedFile: true,
  InstallationsQuery: true,
  Installation: true,
  InstallationPage: true,
  AppInfo: true,
  MiniappSession: true,
  AuthenticatedVisitor: true,
  VisitorInfo: true,
  SentCustomerMessage: true,
  CustomerMessageList: true,
  CreatedSession: true,
  ClosedSession: true,
  AssignedSession: true,
  AgentStatusAnswer: true,
};

test("the answers that the SDK writes out are those of the contract", () => {
  assert.ok(Object.values(SAME).every(Boolean));
});
