/**
 * What workspaces and tokens may ask of the installation, and the refusal of what goes beyond. Everything that a call
 * needs is in memory.
 */
@NullMarked
package dev.millrace.scheduler.quota;

import org.jspecify.annotations.NullMarked;
