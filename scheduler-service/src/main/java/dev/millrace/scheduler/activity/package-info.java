/** What workspaces do by the minute: how many runs, and how long their jobs wait. */
@NullMarked
package dev.millrace.scheduler.activity;

import org.jspecify.annotations.NullMarked;
