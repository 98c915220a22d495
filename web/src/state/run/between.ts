// Restart between two notebooks. It happens in the moment the second one is opened, before its file
// is stored, so that a cell that runs at once runs in the new worker and keeps what it computed.

import type { Workspace } from "../notebook/workspace";
import type { Session } from "./session";

export function restartBetween(workspace: Workspace, session: Pick<Session, "restart">): void {
  workspace.events.subscribe((event) => event.type === "opened" && event.another && session.restart());
}
