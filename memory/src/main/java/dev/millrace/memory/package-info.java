/** Memory limits for each part of a service, in bytes of the heap. */
@NullMarked
package dev.millrace.memory;

import org.jspecify.annotations.NullMarked;
