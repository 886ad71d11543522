/** Decisions about workspaces. */
@org.jspecify.annotations.NullMarked
package dev.millrace.scheduler.workspace.core;
