/** Programs that the launcher runs to record class archives and profiles, so that later starts are fast. */
@NullMarked
package dev.millrace.cli.training;

import org.jspecify.annotations.NullMarked;
