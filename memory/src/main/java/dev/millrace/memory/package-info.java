/** How much memory each part of a service may use: budgets in bytes, carved from the heap. */
@NullMarked
package dev.millrace.memory;

import org.jspecify.annotations.NullMarked;
