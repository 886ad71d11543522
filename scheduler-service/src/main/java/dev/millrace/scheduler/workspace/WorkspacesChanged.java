package dev.millrace.scheduler.workspace;

/** Event: this scheduler has changed workspaces in the database, so every scheduler must read them again. */
public record WorkspacesChanged() {}
