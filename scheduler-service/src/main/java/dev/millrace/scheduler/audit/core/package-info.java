/** Pure decisions of the audit: which refusals get a row of their own. */
@NullMarked
package dev.millrace.scheduler.audit.core;

import org.jspecify.annotations.NullMarked;
