/** What unauthorized programs can reach of a running Millrace. */
@NullMarked
package dev.millrace.e2e.door;

import org.jspecify.annotations.NullMarked;
