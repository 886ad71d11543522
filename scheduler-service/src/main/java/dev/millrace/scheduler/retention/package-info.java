/**
 * How long the tables that grow keep their rows. Features declare a {@link dev.millrace.scheduler.retention.RetentionRule} for each of theirs; one
 * loop works them off.
 */
@NullMarked
package dev.millrace.scheduler.retention;

import org.jspecify.annotations.NullMarked;
