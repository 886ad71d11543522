/** Programs in Python that use the package as it is built and installed. */
@NullMarked
package dev.millrace.e2e.python;

import org.jspecify.annotations.NullMarked;
