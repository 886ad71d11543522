package dev.millrace.scheduler.workspace;

/** Event: this scheduler has read workspaces that differ from those it knew. */
public record WorkspacesRead() {}
