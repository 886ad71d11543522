/** Loads that no limit of a single request keeps small: services have to survive them, and to serve others meanwhile. */
@NullMarked
package dev.millrace.e2e.load;

import org.jspecify.annotations.NullMarked;
