/** How runs are found: searched, listed, and selected by a filter. */
@NullMarked
package dev.millrace.scheduler.run.search;

import org.jspecify.annotations.NullMarked;
