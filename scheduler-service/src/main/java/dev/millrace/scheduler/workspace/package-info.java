/** Workspaces of an installation: created, renamed, isolated, archived and deleted. */
@org.jspecify.annotations.NullMarked
package dev.millrace.scheduler.workspace;
