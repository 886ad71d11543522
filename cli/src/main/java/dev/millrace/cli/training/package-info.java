/** What the launcher runs to record archives of classes and profiles, so that later starts are fast. */
@NullMarked
package dev.millrace.cli.training;

import org.jspecify.annotations.NullMarked;
