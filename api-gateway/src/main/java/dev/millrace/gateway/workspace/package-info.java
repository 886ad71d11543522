/** Workspaces: created, changed, archived and deleted. */
@NullMarked
package dev.millrace.gateway.workspace;

import org.jspecify.annotations.NullMarked;
