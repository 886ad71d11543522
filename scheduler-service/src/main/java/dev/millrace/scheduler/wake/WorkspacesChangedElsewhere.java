package dev.millrace.scheduler.wake;

/** Event: another scheduler has changed workspaces in the database. */
public record WorkspacesChangedElsewhere() {}
