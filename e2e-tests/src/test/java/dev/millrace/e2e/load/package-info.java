/** Loads that no limit of a single request bounds: services must survive them and serve other callers meanwhile. */
@NullMarked
package dev.millrace.e2e.load;

import org.jspecify.annotations.NullMarked;
