/** Steps that keep to one worker and share a folder there: which they are, which worker it is, and what becomes of them when it is gone. */
@NullMarked
package dev.millrace.scheduler.affinity;

import org.jspecify.annotations.NullMarked;
