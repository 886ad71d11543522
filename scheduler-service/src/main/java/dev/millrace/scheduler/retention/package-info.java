/**
 * Retention: how long growing tables keep their rows. Features declare a {@link
 * dev.millrace.scheduler.retention.RetentionRule} for each of their tables, and one loop applies the rules.
 */
@NullMarked
package dev.millrace.scheduler.retention;

import org.jspecify.annotations.NullMarked;
