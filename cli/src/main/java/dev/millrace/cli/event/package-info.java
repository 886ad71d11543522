/** Commands for the events of a workspace. */
@NullMarked
package dev.millrace.cli.event;

import org.jspecify.annotations.NullMarked;
